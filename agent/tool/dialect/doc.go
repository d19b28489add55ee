/*
Package dialect writes the schemas of tools as each kind of server can take them. [For]
does so for the tools of a request; [Union] makes one schema of them all, for models that
don't call tools by themselves but can be held to a schema.

What a schema no longer says is still judged when the tool is called: a dialect takes
less than the whole of JSON Schema, but never wants what a tool wouldn't take, but for
the length of texts and for null where an argument is left out.

It knows the keywords that tools use, with schemas within properties, items and anyOf;
it resolves no references. A schema that is no JSON object stays as it is.
*/
package dialect
