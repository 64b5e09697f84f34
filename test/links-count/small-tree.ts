/** A small tree with a link of each kind, once working and once not. */
export const smallTree = (baseUrl: string): Record<string, string> => ({
  'SUMMARY.md':
    '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Deep \\[one\\]](guide/deep.md)\n  * [Part](guide/deep.md#second-part)\n* [Away](https://example.com/away)\n',
  'README.md': [
    '---\ndescription: Of links\ncover: .gitbook/assets/cover.png\n---\n\n# Home\n',
    '[guide](guide/) [again](./guide/README.md "Title") [deep](guide/deep.md#second-part) [old](guide/deep.md#old-name)',
    '[lost](guide/lost.md) ![a](<.gitbook/assets/a b.png>) ![a](.gitbook/assets/a%20b.png) ![c](.gitbook/assets/c.png)',
    '[ref][one] [site](https://example.com/a?b=c&amp;d) <https://example.com/auto> and https://example.com/bare, or <me@example.com>.\n',
    '```md\n[code](code.md)\n```\n\n`[code](code.md)` <!-- [comment](comment.md) -->\n',
    '[one]: guide/deep.md\n',
    `[app](${baseUrl}/app/s/nowhere) [not](#nowhere) [here](#a-table) \\[escaped](no.md) [x](<>)\n`,
    '## A table\n\n| [A](title.md) | B |\n| --- | --- |\n| [deep](guide/deep.md) | ![](.gitbook/assets/d.png) |\n',
    '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody>',
    '<tr><td>x</td><td><a href="guide/deep.md">deep.md</a></td></tr><tr><td>y</td><td><a href="gone/">gone</a></td></tr></tbody></table>\n',
    '{% content-ref url="guide/deep.md" %}\n[deep.md](guide/deep.md)\n{% endcontent-ref %}\n',
    '{% embed url="https://example.com/embed" %}\n\n{% file src=".gitbook/assets/a b.png" %}\n',
    '{% include ".gitbook/includes/note.md" %}\n\n{% include ".gitbook/includes/none.md" %}\n',
    '{% openapi-operation spec="pets" path="/pets" method="get" %}\n[pets](https://example.com/pets.json)\n{% endopenapi-operation %}\n',
    '<figure><picture><source srcset=".gitbook/assets/dark.png" media="(prefers-color-scheme: dark)"><img src=".gitbook/assets/a b.png" alt=""></picture></figure>\n',
  ].join('\n'),
  'guide/README.md':
    '# Guide\n\n[up](../README.md) [noted](../README.md#in-the-note) [out](../../outside.md) [unlisted](unlisted.md)\n',
  'guide/deep.md':
    '# Deep\n\n## First part\n\n[self](#first-part)\n\n## Second part <a href="#old-name" id="old-name"></a>\n\n[guide](/guide/README.md)\n',
  'guide/unlisted.md': '# Unlisted\n\n[never](never.md)\n',
  '.gitbook/includes/note.md':
    '---\ntitle: Note\n---\n\n## In the note\n\n[deep](../../guide/deep.md) [lost](lost.md)\n',
  '.gitbook/assets/a b.png': 'a',
  '.gitbook/assets/cover.png': 'c',
  '.gitbook/assets/d.png': 'd',
});
