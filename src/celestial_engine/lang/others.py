"""The commonest words of languages that are written like English, tell them from it."""

COMMON_WORDS = frozenset(
    """
    der das und ist nicht ich ein eine mit für auf wir sind auch dem von zu sich habe mein meine wie
    le les est et je une pas que qui dans pour avec sur nous vous mon mes c'est j'ai il elle du des au
    el los las es una por con para pero muy yo está como más del soy tengo
    il lo che non sono di della una ho mio mia anche questo gli nel
    não uma eu meu minha com para mais muito está são da em você
    het een niet ik mijn dat zijn voor met wij ook heb
    jest nie się mam moja mój jak że ale dla czy
    ve bir bu için çok ben benim değil ile ama var
    och jag är att det inte min på som har ett
    og ikke jeg det på min som har et
    minun olen että mutta
    yang dan saya tidak ini itu untuk dengan adalah ada
    tôi là không và của có một cho với này được
    és nem egy az hogy én meg
    je že mám není
    nu este sunt eu meu și cu pentru din
    """.split()
)
