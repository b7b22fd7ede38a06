"""How well memories are found, beside other libraries, without a language model: `python -m benchmarks.recall`."""

import os

# Nobody calls home, and nobody looks for a model on the network. Read by the libraries when they are imported.
os.environ.update(
    ANONYMIZED_TELEMETRY="False",
    HF_HUB_OFFLINE="1",
    LANGCHAIN_TRACING_V2="false",
    LANGSMITH_TRACING="false",
    MEM0_TELEMETRY="False",
    POSTHOG_DISABLED="1",
)
# One thread each: the machine has few cores, and waiting threads would spoil everybody's times.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
