/*
Package markdown reads a Markdown document with YAML front matter and computes
edits of it that touch nothing but what they are about.

A [Document] is its bytes. [Parse] never fails: what can't be understood is
still text. From a Document come its [FrontMatter], its outline as a flat list
of [Section] values, its checkboxes as [Item] values, and its links and tags.

Every change is an [Edit]: one span of the source and the bytes to put there
([Edit.Apply]). The methods of a Document compute one and check it by parsing the
result; what they can't change without touching something else they refuse with
an error that wraps one of the sentinels, and with its line and column.

  - Front matter: SetProperty, UnsetProperty, SetProperties for several keys,
    AddToProperty and RemoveFromProperty for the elements of a list.

  - Sections: EditSection, InsertSection, InsertSectionBefore, AppendSection.

  - List items: CheckItem, EditItem, AppendItem, CutItem.

  - AppendText for the end of the document; it alone is not checked.

    doc := markdown.Parse(src)
    edit, err := doc.SetProperty("status", markdown.Quote("done"))
    if err != nil {
    return err
    }
    src = edit.Apply(src)

The block structure (containers, code, HTML blocks, headings) is found by a
line scanner that follows CommonMark and whose cost grows linearly with the
size of the file for every input; tests hold it against goldmark. goldmark
itself turns the inline markup of headings and of the first paragraph into
plain text.

The package does not render, does not resolve links, does no input or output,
and never prints a document anew from a parsed form.
*/
package markdown
