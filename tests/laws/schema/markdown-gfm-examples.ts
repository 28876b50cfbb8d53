/** The examples of the GFM extensions that are in the dialect, after the GFM specification. */
const tables = [
  '| foo | bar |\n| --- | --- |\n| baz | bim |\n',
  '| abc | defghi |\n:-: | -----------:\nbar | baz\n',
  '| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |\n',
  '| abc | def |\n| --- | --- |\n| bar | baz |\n> bar\n',
  '| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n\nbar\n',
  '| abc | def |\n| --- |\n| bar |\n',
  '| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |\n',
  '| abc | def |\n| --- | --- |\n',
  '| a | b |\n| :-- | --: |\n| `x` | *y* |\n\nafter\n',
  'a | b\n--|--\n1 | 2\n',
  '|a|\n|-|\n|b|\n',
  '| a |\n| - |\n| |\n',
  '| | |\n| - | - |\n| | |\n',
  '| a | b |\n| - | - |\n| [x](y) | ![i](j) |\n',
  '| a | b |\n| - | - |\n| x<br>y | `a\\|b` |\n',
  '- | a |\n  | - |\n  | b |\n',
  '> | a | b |\n> | - | - |\n> | 1 | 2 |\n',
  '| a |\n| - |\n# heading\n',
  '| a |\n| - |\n- item\n',
  '| a |\n| - |\n```\ncode\n```\n',
  '| a |\n| - |\n***\n',
  'text\n| a |\n| - |\n| b |\n',
  '| a \\\\| b |\n| - | - |\n| c \\\\| d |\n',
  '| *a | b* |\n| - | - |\n| ~~c~~ | **d** |\n',
  '| a | b | c | d |\n|:-|:-:|-:|-|\n| 1 | 2 | 3 | 4 |\n',
]

const strikethrough = [
  '~~Hi~~ Hello, world!\n',
  '~~Hi~~ Hello, ~there~ world!\n',
  'This ~~has a\n\nnew paragraph~~.\n',
  'This will ~~~not~~~ strike.\n',
  '~~**bold**~~ and **~~struck~~**\n',
  '~~a `code` b~~\n',
  '~~[link](u)~~ [~~link~~](u)\n',
  'a~~b~~c\n',
  '~~ not ~~\n',
  '\\~~not~~\n',
]

const taskLists = [
  '- [ ] foo\n- [x] bar\n',
  '- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim\n',
  '1. [ ] one\n2. [X] two\n',
  '- [ ]\n- [x]\n',
  '- [ ]not a task\n',
  '- [y] not a task\n',
  '- [ ] a\n\n  b\n\n- [x] c\n',
  '- [ ] # heading?\n',
  '- [x]\n  next line\n',
  '- \\[ ] not a task\n',
  '- text [ ] not a task\n',
  '[ ] not in a list\n',
]

const autolinks = [
  'www.commonmark.org\n',
  'Visit https://encrypted.google.com/search?q=Markup+(business).\n',
  'https://example.com/a_b_c*d*e and (https://x.y/z).\n',
  'https://www.google.com/search?q=commonmark&hl=en\n',
  'https://www.google.com/search?q=commonmark&hl;\n',
  '<https://foo.bar.baz/test?q=hello&id=22&boolean>\n',
  'foo@bar.baz\n',
  '<foo@bar.example.com>\n',
  '**https://example.com/x**\n',
]

const rawHtml = [
  '<strong> <title> <style> <em>\n\n<blockquote>\n  <xmp> is disallowed. <XMP> is also.\n</blockquote>\n',
]

export const gfmExamples: readonly string[] = [
  ...tables,
  ...strikethrough,
  ...taskLists,
  ...autolinks,
  ...rawHtml,
]
