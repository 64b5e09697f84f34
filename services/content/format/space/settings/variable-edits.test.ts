import { parseVariables } from './space-config.js';
import { editVariables } from './variable-edits.js';

test('variables that stay keep their lines', () => {
  const text = '# ours\nproduct: "Bindery" # the name\nold: 1\nversion: 2.0\n';
  const made = editVariables(text, { product: 'Bindery', version: '3', beta: true });
  expect(made).toBe('# ours\nproduct: "Bindery" # the name\nversion: "3"\nbeta: true\n');
});

test.each([undefined, '', '# nothing yet\n', '- a list\n', ': bad: yaml: ['])(
  'variables are written anew in place of %j',
  (text) => {
    const variables = { name: 'yes', count: 2, on: false, text: 'a: b\nc' };
    expect(parseVariables(editVariables(text, variables)).variables).toEqual(variables);
  },
);
