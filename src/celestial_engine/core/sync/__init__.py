"""Several devices of one owner: what each knows about every memory, how they merge, and the bundles between them."""
