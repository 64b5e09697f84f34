import { defaultCustomization } from '../../../services/sites/customization/resources.js';
import type { CommittedFiles } from '../repository.js';
import { svg } from './pictures.js';

/** Calls what the test listens for, from wherever it can. */
const call = (name: string) => `top.noteAttack('${name}')`;

const scriptOf = (name: string) => `<script>${call(name)}</script>`;
const imageOf = (name: string) => `<img src=x onerror="${call(name)}">`;

/** What ends attributes, elements and scripts, and runs. */
const breakout = (name: string): string => `"'></title></style></textarea></script>${scriptOf(name)}${imageOf(name)}`;

const addresses = (name: string): string[] => [
  `javascript:${call(name)}`,
  `JaVaScRiPt:${call(name)}`,
  ` javascript:${call(name)}`,
  `java&#x09;script:${call(name)}`,
  `\u0001javascript:${call(name)}`,
  `data:text/html,${encodeURIComponent(scriptOf(name))}`,
  `vbscript:${call(name)}`,
  `//javascript:${call(name)}`,
];

const block = (tag: string, content: string) => `{% ${tag} %}\n${content}\n{% end${tag.split(' ')[0]} %}\n\n`;
const attribute = (text: string) => text.replaceAll('"', '&quot;');

const blocks = [
  `${scriptOf('html')}\n\n${imageOf('html-image')}\n\n<svg onload="${call('html-svg')}"></svg>\n\n<iframe srcdoc="${attribute(scriptOf('srcdoc'))}"></iframe>\n\n`,
  `<a href="#" onclick="${call('onclick')}" class="button primary">Button</a>\n\n<details ontoggle="${call('ontoggle')}" open><summary>S ${imageOf('summary')}</summary>\n\nB\n\n</details>\n\n`,
  `<form action="javascript:${call('form')}"><button>Send</button></form>\n\n<base href="https://evil.example/">\n\n<meta http-equiv="refresh" content="0;url=javascript:${call('meta')}">\n\n<object data="javascript:${call('object')}"></object>\n\n<style>@import 'javascript:${call('style')}';*{background:url("javascript:${call('css')}")}</style>\n\n`,
  ...addresses('link').map(
    (address) =>
      `[${breakout('link-text')}](<${address}>) <a href="${attribute(address)}">a</a> <a href="${attribute(address)}" class="button primary">b</a>\n\n`,
  ),
  ...addresses('image').map(
    (address) =>
      `![x](<${address}>)\n\n<figure><img src="${attribute(address)}" alt="${attribute(breakout('alt'))}"><figcaption>${imageOf('caption')}</figcaption></figure>\n\n`,
  ),
  ...addresses('blocks').flatMap((address) => [
    block(`content-ref url="${attribute(address)}"`, `[x](<${address}>)`),
    `{% embed url="${attribute(address)}" %}\n\n`,
    `{% file src="${attribute(address)}" %}\n\n`,
    `{% @evil/block url="${attribute(address)}" content="${attribute(breakout('integration'))}" %}\n\n`,
  ]),
  `![x" onerror="${call('alt-quote')}](.gitbook/assets/picture.svg)\n\n<figure><img src=".gitbook/assets/picture.svg" alt="${attribute(breakout('alt'))}" width="&quot; onload=&quot;${call('width')}"></figure>\n\n`,
  `\`\`\`html\n${breakout('code')}\n\`\`\`\n\n\`\`\`"><script>\nx\n\`\`\`\n\n`,
  block(
    `code title="${attribute(breakout('code-title'))}" lineNumbers="true"`,
    `\`\`\`js\n${breakout('code-js')}\n\`\`\``,
  ),
  `$$\n\\href{javascript:${call('formula')}}{x} \\htmlData{a=b}{y} \\text{${breakout('formula')}} \\url{javascript:alert(1)} \\includegraphics{https://evil.example/x.png}\n$$\n\n$$\\unknown{"><img src=x onerror=alert(1)>}$$\n\n`,
  `\`\`\`mermaid\ngraph TD\n  A["${breakout('mermaid').replaceAll('"', '#quot;')}"] --> B[<img src=x onerror=${call('mermaid-node')}>]\n  click A "javascript:${call('mermaid-click')}"\n  style A fill:url(javascript:${call('mermaid-style')})\n\`\`\`\n\n`,
  block('tabs', block(`tab title="${attribute(breakout('tab'))}" icon="${attribute(breakout('tab-icon'))}"`, 'x')),
  block(
    `hint style="${attribute(breakout('hint'))}" icon="${attribute(breakout('hint-icon'))}"`,
    breakout('hint-text'),
  ),
  block('stepper', block(`step icon="${attribute(breakout('step'))}"`, `## ${breakout('step-title')}`)),
  block(
    'columns',
    block(
      `column width="1%;background:url(javascript:${call('column')})" valign="${attribute(breakout('valign'))}"`,
      'x',
    ),
  ),
  block(
    'updates',
    block(`update date="${attribute(breakout('date'))}" tags="${attribute(breakout('tag'))}"`, breakout('update')) +
      block(`update date="2026-01-01" tags="${attribute(breakout('tag'))}"`, breakout('update')),
  ),
  block(
    `prompt description="${attribute(breakout('prompt'))}" icon="${attribute(breakout('prompt-icon'))}"`,
    `\`\`\`\n${breakout('prompt-text')}\n\`\`\``,
  ),
  block(`openapi-operation spec="hostile" path="/${breakout('path').replaceAll('"', '')}" method="get"`, 'x'),
  block('openapi-operation spec="hostile" path="/pets" method="get"', 'x'),
  block('openapi-schemas spec="hostile" schemas="Pet" grouped="true"', 'x'),
  `<i class="fa-${attribute(breakout('icon'))}">:x:</i> :${breakout('emoji')}: <mark style="color:${attribute(breakout('mark'))};">m</mark> <mark style="color:red;background:url(javascript:${call('mark')})">m</mark>\n\n`,
  `<button type="button" class="button ${attribute(breakout('kind'))}" data-action="search" data-query="${attribute(breakout('query'))}">Find</button>\n\n`,
  `Text[^1] {{ page.title }} {{constructor.constructor("${call('template')}")()}}\n\n[^1]: ${breakout('note')}\n\n`,
  `<table><thead><tr><th width="${attribute(breakout('table-width'))}">${imageOf('th')}</th><th data-type="select">S<select><option value="v" label="${attribute(breakout('option'))}" color="${attribute(breakout('color'))}"></option></select></th></tr></thead><tbody><tr><td>${breakout('td')}</td><td><span data-option="v">x</span></td></tr></tbody></table>\n\n`,
  `<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td>${breakout('card')}</td><td><a href="javascript:${call('card-target')}">x</a></td><td><a href="javascript:${call('card-cover')}">x</a></td></tr></tbody></table>\n\n`,
];

const hostileSvg = svg(
  `<script>${call('svg')}</script><script href="data:text/javascript,${call('svg-href')}"/><image href="x" onerror="${call('svg-image')}"/><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:${call('svg-frame')}"/></foreignObject><a href="javascript:${call('svg-link')}"><text y="20">x</text></a>`,
).replace('<svg ', `<svg onload="${call('svg-load')}" `);

const yaml = (text: string) => JSON.stringify(text);

export const hostileFiles: CommittedFiles = {
  'README.md': `---\ntitle: ${yaml(breakout('title'))}\ndescription: ${yaml(breakout('description'))}\nicon: ${yaml(breakout('page-icon'))}\ncover: ${yaml(`javascript:${call('cover')}`)}\ntags:\n  - ${yaml(breakout('page-tag'))}\n---\n\n# ${breakout('heading')}\n\nText.\n`,
  'blocks.md': `# Blocks\n\n## ${breakout('outline')}\n\n${blocks.join('')}`,
  'files.md': `# Files\n\n![x](.gitbook/assets/picture.svg)\n\n{% file src=".gitbook/assets/picture.svg" %}\n\n{% file src=".gitbook/assets/page.html" %}\n\n{% file src=".gitbook/assets/code.js" %}\n\n{% file src=".gitbook/assets/page.xhtml" %}\n\n[named](<.gitbook/assets/"><img src=x onerror=alert(1)>.png>)\n`,
  '<img src=x onerror=alert(1)>.md': `# Named\n\nText.\n`,
  '.gitbook/assets/picture.svg': hostileSvg,
  '.gitbook/assets/page.html': `<!doctype html>${scriptOf('uploaded-html')}<script src="code.js"></script>`,
  '.gitbook/assets/page.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><script>${call('uploaded-xhtml')}</script></html>`,
  '.gitbook/assets/code.js': call('uploaded-js'),
  '.gitbook/assets/"><img src=x onerror=alert(1)>.png': 'none',
};

export const hostileSpec = {
  openapi: '3.1.0',
  info: { title: breakout('spec-title'), version: '1', description: breakout('spec-description') },
  servers: [{ url: `javascript:${call('server')}`, description: breakout('server-description') }],
  tags: [{ name: breakout('spec-tag'), description: breakout('spec-tag-description') }],
  externalDocs: { url: `javascript:${call('external')}`, description: 'x' },
  paths: {
    '/pets': {
      get: {
        tags: [breakout('spec-tag')],
        summary: breakout('summary'),
        description: `${breakout('operation')} [x](javascript:${call('spec-link')}) ![x](javascript:${call('spec-image')})`,
        externalDocs: { url: `javascript:${call('external')}`, description: breakout('external') },
        parameters: [
          {
            name: breakout('parameter'),
            in: 'query',
            description: breakout('parameter-description'),
            schema: {
              type: 'string',
              default: breakout('default'),
              enum: [breakout('enum')],
              pattern: breakout('pattern'),
            },
            example: breakout('example'),
          },
        ],
        responses: {
          200: {
            description: breakout('response'),
            content: {
              [`text/${breakout('media').replaceAll('/', '')}`]: { schema: { $ref: '#/components/schemas/Pet' } },
              'application/json': { schema: { $ref: '#/components/schemas/Pet' }, example: { a: breakout('json') } },
              'text/html': { example: breakout('html-example') },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        title: breakout('schema'),
        type: 'object',
        description: breakout('schema-description'),
        properties: { [breakout('property')]: { type: 'string', description: breakout('property-description') } },
      },
    },
  },
};

const short = (name: string) => `"><img src=x onerror=${call(name)}>`.slice(0, 64);
const link = (name: string) => ({
  title: short(name),
  to: { kind: 'url', url: `https://evil.example/"onclick="${call(name)}` },
});

export const hostileCustomization = {
  ...defaultCustomization,
  title: short('site-title').slice(0, 50),
  styling: {
    ...defaultCustomization.styling,
    font: {
      id: 'x',
      custom: true,
      fontFamily: `x";}</style>${'<img src=x onerror=alert(1)>'}`.slice(0, 50),
      fontFaces: [
        { weight: 400, sources: [{ url: "https://example.com/');}x{background:url('https://evil.example" }] },
      ],
    },
  },
  header: { ...defaultCustomization.header, links: [{ ...link('header'), links: [link('header-inner')] }] },
  footer: { groups: [{ title: short('group'), links: [link('footer')] }], copyright: breakout('copyright') },
  announcement: {
    enabled: true,
    message: breakout('announcement').slice(0, 128),
    link: link('announcement'),
    style: 'info',
  },
  socialAccounts: [
    { platform: 'github', handle: breakout('handle').slice(0, 128), display: { footer: true, header: true } },
  ],
  privacyPolicy: { url: `https://evil.example/"onclick="${call('privacy')}` },
  feedback: { enabled: true },
  insights: { trackingCookie: true },
};
