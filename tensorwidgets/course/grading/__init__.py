"""What a class is worth and what it did: points, late days, tables for learning platforms, answers that are alike.

rules.py reads a teacher's rules, points.py applies them, roster.py finds a student among those of a platform, tables.py
writes for it, statistics.py counts tries and mistakes, similarity.py compares answers, anonymous.py hides names.
"""
