"""What wraps a call without the op knowing?"""
