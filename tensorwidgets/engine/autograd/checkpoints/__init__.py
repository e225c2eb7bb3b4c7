"""`checkpoint`: what a function saves is computed again instead of kept."""
