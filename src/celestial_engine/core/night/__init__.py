"""What nightly work decides: expiry, promotion, distillation."""
