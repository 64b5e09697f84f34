import { readFileSync } from 'node:fs';
import { generatedFiles } from './docs.js';

it.each(generatedFiles().map(({ path, content }) => [path.split('/').slice(-2).join('/'), path, content]))(
  '%s is as `npm run docs` makes it',
  (_, path, content) => {
    expect(readFileSync(path, 'utf8')).toBe(content);
  },
);
