"""See what a tensor does in memory."""
