import { anchorAliasesOf, anchorOfText, assignAnchor, findAnchor, newAnchors } from './anchors.js';

describe('the anchor of a heading', () => {
  it.each([
    ['Getting started', 'getting-started'],
    ['1. Install', 'id-1.-install'],
    ['19.11.2 行格式與重建索引', 'id-19.11.2-xing-ge-shi-yu-zhong-jian-suo-yin'],
    ['max_worker_processes (integer)', 'max_worker_processes-integer'],
    ['C++ & .NET', 'c++-and-.net'],
    ['Q&A', 'q-and-a'],
    ['$INCLUDE_ONCE', 'usdinclude_once'],
    ['From 5€ to 20$', 'from-5eur-to-20usd'],
    ['100% of a/b = c@d #1 ~x^2 *y*', 'id-100-of-a-b-c-d-1-x-2-y'],
    ['HyperCore <> HyperEVM', 'hypercore-less-than-greater-than-hyperevm'],
    ['Promise<Array<T>>', 'promise-less-than-array-less-than-t-greater-than-greater-than'],
    ['read | write', 'read-or-write'],
    ['I ♥ Acme™', 'i-love-acme-tm'],
    ['Set syntax…', 'set-syntax...'],
    ['What’s <new>?', 'what-s-less-than-new-greater-than'],
    ['Ünïcode – ærlig', 'uenicode-aerlig'],
    ['Bin Klasörü', 'bin-klasoerue'],
    ['Привет, мир', 'privet-mir'],
    ['Локальный сервер', 'lokalnyi-server'],
    ['Инструкция по API', 'instrukciya-po-api'],
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
      assignAnchor(anchors, 'Title', 'own'),
      assignAnchor(anchors, 'Own', undefined),
      assignAnchor(anchors, 'Title', 'Mine 中'),
      assignAnchor(anchors, 'Title', undefined),
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
    ['streamToBytes', undefined],
    ['Привет, Мир', undefined],
    ['Größe <T>', undefined],
    ['Read & write', undefined],
    ['Read write', undefined],
    ['Ключ', 'Ключ'],
  ] as const)
    assignAnchor(anchors, title, explicit);
  const named = (name: string) => findAnchor(new Map(anchorAliasesOf(anchors)), name);

  it.each([
    ['id-1.2.-an-zhuang-and-run', 'id-1.2.-an-zhuang-and-run'],
    ['12-安裝--run', 'id-1.2.-an-zhuang-and-run'],
    ['id-1.2.-an-zhuang-run', 'id-1.2.-an-zhuang-and-run'],
    ['1-2-an-zhuang-and-run', 'id-1.2.-an-zhuang-and-run'],
    ['azure-a-d', 'azure-ad'],
    ['Azure-AD', 'azure-ad'],
    ['same-1', 'same-1'],
    ['s.ame', 's.ame'],
    ['API Key', 'api-key'],
    ['keyed', 'api-key'],
    ['api key', 'api-key'],
    ['streamToBytes', 'streamtobytes'],
    ['Same', 'same'],
    ['SAME-1', 'same-1'],
    ['привет-мир', 'privet-mir'],
    ['Привет-Мир', 'privet-mir'],
    ['Приве́т', 'Приве́т'],
    ['КЛЮЧ', 'klyuch'],
    ['größe-t', 'groesse-less-than-t-greater-than'],
    ['Gro\u0308ße-T', 'groesse-less-than-t-greater-than'],
    ['grosse-t', 'groesse-less-than-t-greater-than'],
    ['read-write', 'read-write'],
    ['read-write-1', 'read-write'],
    ['read--write', 'read-and-write'],
    ['elsewhere', 'elsewhere'],
    ['Сюда', 'Сюда'],
    ['', ''],
  ])('%s means %s', (name, anchor) => {
    expect(named(name)).toBe(anchor);
  });
});
