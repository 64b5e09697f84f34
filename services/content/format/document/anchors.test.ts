import { aliasesOf, anchorNamed, anchorOfText, giveAnchor, newAnchors } from './anchors.js';

describe('the anchor of a heading', () => {
  it.each([
    ['Getting started', 'getting-started'],
    ['1. Install', 'id-1.-install'],
    ['19.11.2 行格式與重建索引', 'id-19.11.2-xing-ge-shi-yu-zhong-jian-suo-yin'],
    ['max_worker_processes (integer)', 'max_worker_processes-integer'],
    ['C++ & .NET', 'c++-.net'],
    ['Set syntax…', 'set-syntax...'],
    ['What’s <new>?', 'what-s-new'],
    ['Ünïcode – ærlig', 'unicode-aerlig'],
    ['Привет, мир', 'privet-mir'],
    ['はじめに', 'hajimeni'],
    ['🚀 Launch 👩‍🚀', 'launch'],
    ['🚀', 'rocket'],
    ['???', 'section'],
    ['', 'section'],
  ])('of %s', (text, anchor) => {
    expect(anchorOfText(text)).toBe(anchor);
  });

  it('fits the pattern of the schema, whatever the text', () => {
    for (const text of [
      'مرحبا',
      '시작하기',
      'สวัสดี',
      'हिन्दी',
      '\ud800',
      '龘'.repeat(500),
      `${'é'.repeat(199)}-9`,
      '١. x',
    ])
      expect(anchorOfText(text)).toMatch(/^[-a-z0-9.+_]{1,200}$/);
  });

  it('is the explicit one if the schema allows it, with a number if the page has it already', () => {
    const anchors = newAnchors();
    const given = [
      giveAnchor(anchors, 'Title', 'own'),
      giveAnchor(anchors, 'Own', undefined),
      giveAnchor(anchors, 'Title', 'Mine 中'),
      giveAnchor(anchors, 'Title', undefined),
    ];
    expect(given).toEqual(['own', 'own-1', 'mine-zhong', 'title']);
  });
});

describe('a name in a link', () => {
  const anchors = newAnchors();
  for (const [title, explicit] of [
    ['1.2. 安裝 & Run', undefined],
    ['Azure AD', undefined],
    ['Same', undefined],
    ['Same', undefined],
    ['S.ame', undefined],
    ['Keyed', 'API Key'],
  ] as const)
    giveAnchor(anchors, title, explicit);
  const named = (name: string) => anchorNamed(new Map(aliasesOf(anchors)), name);

  it.each([
    ['id-1.2.-an-zhuang-run', 'id-1.2.-an-zhuang-run'],
    ['12-安裝--run', 'id-1.2.-an-zhuang-run'],
    ['1-2-an-zhuang-run', 'id-1.2.-an-zhuang-run'],
    ['azure-a-d', 'azure-ad'],
    ['Azure-AD', 'azure-ad'],
    ['same-1', 'same-1'],
    ['s.ame', 's.ame'],
    ['API Key', 'api-key'],
    ['keyed', 'api-key'],
    ['elsewhere', 'elsewhere'],
    ['', ''],
  ])('%s means %s', (name, anchor) => {
    expect(named(name)).toBe(anchor);
  });
});
