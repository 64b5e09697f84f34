import { treeHtml } from '../../document/testing/tree-html.js';

describe('bold with spaces or punctuation inside the marks', () => {
  it.each([
    ['**bold **next', '<strong>bold </strong>next'],
    ['a** bold** b', 'a<strong> bold</strong> b'],
    ['**Note. ** Then', '<strong>Note. </strong> Then'],
    ['**Note:**then', '<strong>Note:</strong>then'],
    ['**文、**次', '<strong>文、</strong>次'],
    ['前**「強調」**次', '前<strong>「強調」</strong>次'],
    ['前**「強調」**。', '前<strong>「強調」</strong>。'],
    ['**한국어(Korean)**을', '<strong>한국어(Korean)</strong>을'],
    ['**a **b **c **d', '<strong>a </strong>b <strong>c </strong>d'],
    ['**a** and **b **c', '<strong>a</strong> and <strong>b </strong>c'],
    ['**a `**` [**b **c](d) **e', '<strong>a <code>**</code> <a href="d"><strong>b </strong>c</a> </strong>e'],
    ['_a **b **c_', '<em>a <strong>b </strong>c</em>'],
    ['_**a **_b', '<em><strong>a </strong></em>b'],
    ['**_a _**b', '<strong><em>a </em></strong>b'],
    ['~~old ~~new', '<del>old </del>new'],
    ['**a ~~b ~~c **d', '<strong>a <del>b </del>c </strong>d'],
    ['~~a **b **c ~~d', '<del>a <strong>b </strong>c </del>d'],
  ])('%s is bold', (markdown, html) => {
    expect(treeHtml(markdown).trim()).toBe(`<p>${html}</p>`);
  });

  it.each([
    ['**a\nb **c', '**a\nb **c'],
    ['**a  \nb **c', '**a<br>\nb **c'],
    ['**a **', '**a **'],
    ['** a**', '** a**'],
    ['2 ** 3 ** 4', '2 ** 3 ** 4'],
    ['a**"b"**', 'a**&quot;b&quot;**'],
    ['**(**a)', '**(**a)'],
    ['\\**a \\**b', '**a **b'],
    ['**a \\*\\*b', '**a **b'],
    ['*a **b **c*', '*a **b *<em>c</em>'],
    ['*a **b* c **d', '*a *<em>b</em> c **d'],
    ['__a __b', '__a __b'],
    ['**a **b** c', '**a <strong>b</strong> c'],
  ])('%s is what CommonMark says', (markdown, html) => {
    expect(treeHtml(markdown).trim()).toBe(`<p>${html}</p>`);
  });
});
