import { operations } from '../../../services/gateway/contracts.js';
import { textOf } from './files.js';

const mib = 1024 * 1024;

it('what is in front of Bindery takes more than its largest request, one number everywhere', () => {
  const largest = Math.max(...Object.values(operations).map(({ bodyLimit = mib }) => bodyLimit));
  const number = largest / mib + 1;
  for (const [file, text] of [
    ['deploy/proxy/nginx.conf', `client_max_body_size ${number}m;`],
    ['deploy/proxy/nginx.conf', `The body is larger than ${number} MiB`],
    ['k8s/production/ingress.yaml', `proxy-body-size: ${number}m`],
    ['docs/operations/kubernetes.md', `Allow bodies of ${number} MiB`],
    ['docs/operations/proxy.md', `allow ${number} MiB`],
  ] as const)
    expect([file, textOf(file).includes(text)]).toEqual([file, true]);
});

it('nginx refuses a body in the form of Bindery', () => {
  const [, body = ''] = /return 413 '(.+)';/.exec(textOf('deploy/proxy/nginx.conf')) ?? [];
  expect(JSON.parse(body)).toEqual({ error: { code: 413, message: expect.any(String) } });
});
