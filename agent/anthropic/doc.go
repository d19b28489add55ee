/*
Package anthropic speaks to Anthropic's Messages API, and to servers that have the same.

A [Chat] is a language model. [Endpoint] makes the address and key that it needs, and
[Models] tells which there are. Nothing is taken from the environment, neither a key nor
an address.

A model thinks where it does so by itself: kist doesn't ask for it. What it thought is
signed, and goes back with its calls while the turn lasts, in the order in which it came.
*/
package anthropic
