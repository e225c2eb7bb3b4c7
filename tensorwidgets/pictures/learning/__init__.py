"""What is in a model, and how does it learn?"""
