"""Synthetic memories and questions: Korean and English, Zipf's law, the same for every run."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

SEED = 20_261_116

_EN_COMMON = """
    meeting project coffee python team budget report deadline customer server garden music travel doctor birthday
    recipe kitchen weekend office database release contract airport museum guitar marathon painting invoice backup
    password keyboard mountain holiday daughter neighbour teacher library breakfast train summer deploy review draft
    prefer visit finish cancel move order plan write learn cook quiet urgent early green cheap recent favourite
"""
_EN_FUNCTION = """
    the to and of a in is for on with that was at my from we it this have by not are about after before when will
    into every she he they our last next because until
"""
_EN_ONSETS = "b c d f g h j k l m n p r s t v w br cl dr fl gr pl pr sk sl st str th tr"
_EN_RHYMES = "a e i o u ai ea ee ie oa ou an en in or el us at om and est"

_KO_COMMON = """
    회의 프로젝트 커피 파이썬 팀장 예산 보고서 마감 고객 서버 정원 음악 여행 의사 생일 요리 부엌 주말 사무실
    데이터 배포 계약 공항 박물관 기타 마라톤 그림 청구서 백업 비밀번호 키보드 등산 휴가 딸아이 이웃 선생님 도서관
    아침 기차 여름 검토 초안 취향 방문 취소 이사 주문 계획 공부 친구 가족 병원 학교 시장 고양이 자전거 영화 날씨
"""
_KO_SYLLABLES = """
    이 사 기 자 지 전 정 원 부 대 인 시 주 상 도 수 구 조 동 고 성 장 무 일 보 유 제 선 비 경 용 신 소 안 화 리 미 연
    방 식 교 가 단 생 공 문 산 진 관 재 계 통 영 강 국 남 서 민 나 모 마 중 해 하 학 행 회 현 호 양 여 역 우 위 음 의
    천 청 체 초 출 충 판 평 표 품 피 한 합 향 험 형 활 황 효 후 훈 휴
"""
_KO_PARTICLES = (
    "를/을 가/이 는/은 와/과 로/으로 에/에 에서/에서 의/의 도/도 까지/까지 부터/부터"  # after vowel/consonant
)
_KO_VERBS = "하 정리하 준비하 확인하 시작하 연락하 예약하 부탁하 결정하 기억하 좋아하"
_KO_MIDDLE = "고 면서 지만 려고 는데"
_KO_ENDINGS = "였다 였습니다 기로_했다 고_싶다 기로_했어요 지_않았다 고_있다"

_VOCABULARY = 30_000
_COMMON_RANKS = 100
_RARE_FROM_RANK = 3_000


@dataclass(frozen=True)
class Memory:
    """A text, and its content words that a query would use (Korean nouns without particles)."""

    text: str
    content_words: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """A query; `answer` is the text it was made from, if any."""

    text: str
    answer: str | None = None


class Vocabulary:
    """Words by rank, drawn by Zipf's law: some real common words, then a long synthetic tail."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)
        # Offset as without function words: the commonest word is one in a hundred, not one in ten.
        self._weights = list(accumulate(1.0 / (rank + 10.0) for rank in range(len(words))))

    def draw(self, rng: random.Random, count: int) -> list[str]:
        return rng.choices(self.words, cum_weights=self._weights, k=count)

    def common(self, rng: random.Random) -> str:
        return self.words[rng.randrange(_COMMON_RANKS)]

    def rare(self, rng: random.Random) -> str:
        return self.words[rng.randrange(_RARE_FROM_RANK, len(self.words))]


class Corpus:
    """Endless memories and questions in both languages. Equal for equal random seeds."""

    def __init__(self, seed: int = SEED) -> None:
        self._seed = seed
        rng = random.Random(f"words {seed}")
        onsets, rhymes = _EN_ONSETS.split(), _EN_RHYMES.split()
        syllables = Vocabulary(_KO_SYLLABLES.split())
        self._en = Vocabulary(
            _with_tail(_EN_COMMON, lambda: "".join(rng.choice(onsets) + rng.choice(rhymes) for _ in range(3)))
        )
        self._ko = Vocabulary(_with_tail(_KO_COMMON, lambda: "".join(syllables.draw(rng, rng.choice((2, 2, 3))))))
        self._function_words = _EN_FUNCTION.split()
        self._particles = [pair.split("/") for pair in _KO_PARTICLES.split()]
        self._verbs, self._middles = _KO_VERBS.split(), _KO_MIDDLE.split()
        self._endings = [ending.replace("_", " ") for ending in _KO_ENDINGS.split()]

    def memories(self, count: int, part: str = "memories") -> Iterator[Memory]:
        """`part` names an independent stream."""
        rng = random.Random(f"{part} {self._seed}")
        for _ in range(count):
            yield self._korean(rng) if rng.random() < 0.5 else self._english(rng)

    def questions(self, count: int) -> list[Question]:
        """Questions of two to six words: half of common words only, half with rare ones."""
        rng = random.Random(f"questions {self._seed}")
        return [Question(self._question(rng, rare=number % 2 == 1)) for number in range(count)]

    def common_words(self, count: int) -> list[Question]:
        """Questions of one common word, the most common first, in alternating languages."""
        pairs = zip(self._en.words, self._ko.words, strict=True)
        return [Question(word) for pair in pairs for word in pair][:count]

    def known(self, memories: Sequence[Memory], count: int) -> list[Question]:
        """Questions of two to four content words of one memory, shuffled."""
        rng = random.Random(f"known {self._seed}")
        made: list[Question] = []
        while len(made) < count:
            memory = rng.choice(memories)
            words = list(dict.fromkeys(memory.content_words))
            if len(words) > 1:
                rng.shuffle(words)
                made.append(Question(" ".join(words[: rng.randint(2, 4)]), memory.text))
        return made

    def _english(self, rng: random.Random) -> Memory:
        length = rng.randint(8, 25)
        functions = [rng.random() < 0.4 for _ in range(length)]
        content = self._en.draw(rng, functions.count(False))
        rest = iter(content)
        words = [rng.choice(self._function_words) if function else next(rest) for function in functions]
        return Memory(" ".join(words).capitalize() + ".", tuple(content))

    def _korean(self, rng: random.Random) -> Memory:
        nouns: list[str] = []
        words: list[str] = []
        for noun in self._ko.draw(rng, rng.randint(7, 21)):
            # Korean notes often contain English names.
            nouns.append(noun if rng.random() < 0.9 else self._en.draw(rng, 1)[0])
            words.append(self._with_particle(rng, nouns[-1]))
            if rng.random() < 0.15:
                words.append(rng.choice(self._verbs) + rng.choice(self._middles))
        words.append(rng.choice(self._verbs) + rng.choice(self._endings))
        return Memory(" ".join(words) + ".", tuple(nouns))

    def _question(self, rng: random.Random, *, rare: bool) -> str:
        vocabulary = self._ko if rng.random() < 0.5 else self._en
        length = rng.randint(2, 6)
        words = [vocabulary.common(rng) for _ in range(length)]
        if rare:
            for place in rng.sample(range(length), rng.randint(1, length)):
                words[place] = vocabulary.rare(rng)
        if vocabulary is self._ko:
            words = [self._with_particle(rng, word) if rng.random() < 0.5 else word for word in words]
            if length > 3:
                words[-1] = rng.choice(self._verbs) + "였지"
        elif length > 3:
            words[0] = rng.choice(("when", "where", "what", "who"))
        return " ".join(words) + "?"

    def _with_particle(self, rng: random.Random, noun: str) -> str:
        after_vowel, after_consonant = rng.choice(self._particles)
        last = ord(noun[-1])
        closed = (last - 0xAC00) % 28 != 0 if 0xAC00 <= last <= 0xD7A3 else noun[-1] not in "aeiouy"
        return noun + (after_consonant if closed else after_vowel)


def _with_tail(common: str, make: Callable[[], str]) -> list[str]:
    words = dict.fromkeys(common.split())
    while len(words) < _VOCABULARY:
        words[make()] = None
    return list(words)
