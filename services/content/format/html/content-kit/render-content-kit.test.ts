import { renderContentKit } from './render-content-kit.js';

const html = (...children: unknown[]) => renderContentKit({ type: 'block', children }).html;

describe('elements of an integration', () => {
  it('are shown in cards, stacks and boxes', () => {
    const card = {
      type: 'card',
      title: 'Card',
      hint: 'Small',
      onPress: { action: '@ui.url.open', url: 'https://a.example/' },
      icon: { type: 'image', source: { url: 'https://a.example/i.png' }, aspectRatio: 1 },
      children: [
        {
          type: 'hstack',
          align: 'end',
          children: [{ type: 'box', grow: 1, children: [{ type: 'text', children: ['x'] }] }],
        },
      ],
    };
    const shown = html(card, { type: 'divider', size: 'large' });
    expect(shown).toContain('<a class="external" href="https://a.example/" rel="noopener">Card</a>');
    expect(shown).toContain('<img class="kit-image ratio-1-1" src="https://a.example/i.png" alt ');
    expect(shown).toContain('<div class="kit-hstack kit-end"><div class="kit-box kit-grow"><span>x</span></div></div>');
    expect(shown).toContain('<hr class="kit-divider kit-large"/>');
  });

  it('are texts, Markdown and code', () => {
    expect(
      html({
        type: 'text',
        style: 'bold',
        children: ['a ', { type: 'link', target: { url: 'mailto:a@b.example' }, children: 'b' }],
      }),
    ).toContain('<strong>a <a class="external" href="mailto:a@b.example" rel="noopener">b</a></strong>');
    expect(html({ type: 'markdown', content: '*a*' })).toContain('<p><em>a</em></p>');
    expect(html({ type: 'codeblock', content: 'let a = 1', syntax: 'javascript' })).toContain(
      '<span class="hl-keyword">let</span>',
    );
  });

  it('show what the state holds', () => {
    const element = {
      type: 'block',
      children: [
        { type: 'markdown', content: { $state: 'text' } },
        { type: 'textinput', state: 'text' },
      ],
    };
    const shown = renderContentKit({ type: 'element', element, state: { text: 'Kept' } }).html;
    expect(shown).toContain('<p>Kept</p>');
    expect(shown).toContain('value="Kept"');
  });

  it('are fields with names, which cannot be changed', () => {
    const shown = html(
      { type: 'input', label: 'Name', hint: 'Any', element: { type: 'textinput', state: 'n', initialValue: 'Tom' } },
      { type: 'input', label: 'On', element: { type: 'switch', state: 's', initialValue: true } },
      {
        type: 'select',
        state: 'c',
        placeholder: 'Choose',
        initialValue: 'b',
        options: [
          { id: 'a', label: 'A' },
          { id: 'b', label: 'B' },
        ],
      },
    );
    expect(shown).toContain('<label class="kit-label" for="kit-field-1">Name</label>');
    expect(shown).toMatch(/<input type="text" id="kit-field-1"[^>]*disabled/);
    expect(shown).toMatch(/<input type="checkbox" class="kit-switch" id="kit-field-2" checked disabled/);
    expect(shown).toMatch(
      /<select class="kit-input" aria-label="Choose" disabled><option>Choose<\/option><option>A<\/option><option selected>B/,
    );
  });

  it('have buttons that are links, forms, or off', () => {
    const press = { type: 'button', label: 'Go', style: 'primary', onPress: { action: 'go', id: 7 } };
    expect(html(press)).toContain('<button type="button" class="button button-primary" disabled>Go</button>');
    const { html: sent } = renderContentKit(press, { action: '/press' });
    expect(sent).toContain('<form class="kit-form" method="post" action="/press">');
    expect(sent).toContain('value="{&quot;action&quot;: &quot;go&quot;, &quot;id&quot;: 7}"');
    expect(html({ ...press, onPress: { action: '@ui.url.open', url: 'https://a.example' } })).toContain(
      'href="https://a.example/"',
    );
    expect(html({ ...press, onPress: { action: '@ui.url.open', url: 'javascript:x' } })).not.toContain('href');
  });

  it('have frames of an origin of their own, which are named', () => {
    const frame = { type: 'webframe', source: { url: 'https://f.example/x' }, aspectRatio: 1.3 };
    const made = renderContentKit({
      type: 'block',
      children: [frame, frame, { ...frame, source: { url: 'http://f.example' } }],
    });
    expect(made.frames).toEqual(['https://f.example']);
    expect(made.html).toContain(
      '<iframe class="web-frame ratio-4-3" src="https://f.example/x" title="f.example" sandbox="allow-scripts allow-forms allow-popups"',
    );
  });

  it('of unknown kinds show their children', () => {
    expect(html({ type: 'new', children: [{ type: '__proto__', children: ['Kept'] }] })).toBe(
      '<div class="kit">Kept</div>',
    );
  });

  it('execute nothing, and end', () => {
    const attack = '"><script>x</script>';
    const shown = html(
      {
        type: 'link',
        target: { url: { host: 'a.example/"><b>', pathname: attack, query: { a: attack } } },
        children: attack,
      },
      { type: 'image', source: { url: 'javascript:x' } },
      { type: 'card', title: attack, hint: attack, children: 7, buttons: [null, { label: attack }] },
      { type: 'input', label: attack, element: { type: 'select', options: [null, attack] } },
      {
        type: 'modal',
        title: attack,
        children: [{ type: 'stepper', activeStep: 's', children: [null, { type: 'step', id: 's' }] }],
      },
    );
    expect(shown).not.toMatch(/<script|javascript:|style=/);
    let deep: unknown = 'x';
    for (let level = 0; level < 5000; level++) deep = { type: 'vstack', children: [deep] };
    expect(renderContentKit(deep).html.length).toBeLessThan(10_000);
    expect(renderContentKit(Array(100_000).fill({ type: 'divider' })).html.length).toBeLessThan(200_000);
    for (const odd of [null, 7, 'x', [], { type: 'complete' }])
      expect(renderContentKit(odd).html).toContain('class="kit"');
  });
});
