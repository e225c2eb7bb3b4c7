"""How do gradients go back through a graph, step by step?"""
