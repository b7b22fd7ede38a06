"""Learning from rewards: the policy network, the reranker and their checkpoints."""
