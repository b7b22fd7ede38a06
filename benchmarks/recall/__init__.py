"""Retrieval quality, compared with other libraries, without a language model: `python -m benchmarks.recall`."""

import os

# No telemetry and no model downloads. The libraries read these when they are imported.
os.environ.update(
    ANONYMIZED_TELEMETRY="False",
    HF_HUB_OFFLINE="1",
    LANGCHAIN_TRACING_V2="false",
    LANGSMITH_TRACING="false",
    MEM0_TELEMETRY="False",
    POSTHOG_DISABLED="1",
)
# One thread each: on few cores, waiting threads would distort all times.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
