import { toDocument } from '../document.js';
import type { BlockNode, DocumentNode } from '../document-model.js';

const blocksOf = (source: string): BlockNode[] =>
  toDocument(source, (url) => ({ kind: 'url', url }), { title: '' }).nodes;
const textIn = (node: DocumentNode): string =>
  node.object === 'text' ? node.leaves.map(({ text }) => text).join('') : (node.nodes ?? []).map(textIn).join('');
const shown = (source: string) => blocksOf(source).map((node) => [node.type, textIn(node)]);

describe('{% api-method %}', () => {
  it('has its method, address, parameters with types, and responses with codes', () => {
    const source = `{% api-method method="get" host="https://api.cakes.com" path="/v1/cakes/:id" %}
{% api-method-summary %}
Get *Cakes*
{% endapi-method-summary %}

{% api-method-description %}
This endpoint allows you to get free cakes.
{% endapi-method-description %}

{% api-method-spec %}
{% api-method-request %}
{% api-method-path-parameters %}
{% api-method-parameter name="cake\\_id" type="string" required=true %}
ID of the cake
{% endapi-method-parameter %}
{% endapi-method-path-parameters %}

{% api-method-headers %}
{% api-method-parameter name="Authentication" type="string" %}

{% endapi-method-parameter %}
{% endapi-method-headers %}
{% endapi-method-request %}

{% api-method-response %}
{% api-method-response-example httpCode=200 %}
{% api-method-response-example-description %}
Cake **retrieved**.
{% endapi-method-response-example-description %}

\`\`\`javascript
{}
\`\`\`
{% endapi-method-response-example %}

{% api-method-response-example httpCode=404 %}
{% api-method-response-example-description %}

{% endapi-method-response-example-description %}
{% endapi-method-response-example %}
{% endapi-method-response %}
{% endapi-method-spec %}
{% endapi-method %}

After
`;
    expect(shown(source)).toEqual([
      ['paragraph', 'GET https://api.cakes.com/v1/cakes/:id Get Cakes'],
      ['paragraph', 'This endpoint allows you to get free cakes.'],
      ['paragraph', 'cake_id string (path)'],
      ['paragraph', 'ID of the cake'],
      ['paragraph', 'Authentication string (header)'],
      ['paragraph', '200 Cake retrieved.'],
      ['code', '{}'],
      ['paragraph', '404'],
      ['paragraph', 'After'],
    ]);
    const [line] = blocksOf(source);
    expect(line?.nodes?.[0]).toMatchObject({
      leaves: [{ text: 'GET https://api.cakes.com/v1/cakes/:id', marks: [{ type: 'code' }] }, { text: ' ' }],
    });
  });

  it('keeps descriptions of several blocks, and shows no tag without content', () => {
    expect(
      shown(
        '{% api-method method="post" path="/a" %}\n{% api-method-summary %}\nOne\n\n* Two\n{% endapi-method-summary %}\n{% api-method-description %}\n{% endapi-method-description %}\n{% endapi-method %}',
      ),
    ).toEqual([
      ['paragraph', 'POST /a'],
      ['paragraph', 'One'],
      ['list-unordered', 'Two'],
    ]);
  });
});

describe('captions in attributes', () => {
  it.each([
    '{% embed url="https://a.b" caption="A\\_b" %}',
    '{% file src="a.pdf" caption="A\\_b" %}',
    '{% embed url="https://a.b" caption="Other" %}\nA\\_b\n{% endembed %}',
  ])('%s', (source) => {
    const [made, ...rest] = blocksOf(source);
    expect(rest).toEqual([]);
    expect(made?.fragments?.map((each) => [each.fragment, each.nodes.map(textIn).join('')])).toEqual([
      ['caption', 'A_b'],
    ]);
  });

  it('are none where they are empty', () => {
    expect(blocksOf('{% embed url="https://a.b" caption="" %}')[0]?.fragments).toEqual([]);
  });
});
