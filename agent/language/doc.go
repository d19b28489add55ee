/*
Package language reads prose, and is the one place that does: [Tokenize] cuts a
text into [Token]s, [Match], [Find] and [Has] hold them against patterns of words
and classes of words, a [Template] fills its places from them, [FindDate] and
[FindPriority] find when and how urgently, [Spell] and [Cut] write tokens the way
they were typed, [Expand] and [Stem] take contractions and endings off. All of it is rough and deterministic;
what matters is that both sides of a comparison are treated alike.

Words are data: a folder for each language. What is known of another language than
English is read by way of it, word by word (de/words.txt), with the tokens still where
they stand in the text; so patterns and dates hold for both.

It doesn't know what anybody wants: that is for who asks it.
*/
package language
