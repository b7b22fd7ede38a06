"""The rules of sleep, the nightly maintenance: expiry, promotion, distillation."""
