"""How do learning rates change while training goes on? One file for each kind of schedule."""
