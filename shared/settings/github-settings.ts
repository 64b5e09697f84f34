import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { listSetting, plainUrl } from './fields.js';

/** The settings of the GitHub App by which connections reach repositories without tokens of their own. */
export const githubSettings = {
  GITHUB_APP_ID: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be the id, or the client id, of a GitHub App')
    .optional()
    .meta({
      description:
        'Id of a GitHub App: connections with repositories need no token where it is installed. Default: none.',
    }),
  GITHUB_APP_PRIVATE_KEY: z
    .string()
    .transform((text, { issues }) => {
      const key = pemOf(text);
      if (!isRsaKey(key))
        issues.push({ code: 'custom', input: '', message: 'must be an RSA private key as PEM, or that in base64' });
      return key;
    })
    .optional()
    .meta({
      description:
        'Private key of that App, as PEM (with `\\n` for new lines) or that in base64. Required with `GITHUB_APP_ID`.',
    }),
  GITHUB_APP_INSTALLATIONS: listSetting(
    z.string().regex(/^[\w-]{1,100}=\d{1,15}$/, 'must be <organization id>=<installation id>, comma-separated'),
  ).meta({
    description:
      'Which installations of that App an organization may use, as `<organization id>=<installation id>`, comma-separated; an organization may have several.',
  }),
  GITHUB_API_URL: plainUrl.default('https://api.github.com').meta({
    description: 'API of GitHub for that App; `https://<host>/api/v3` of an Enterprise Server.',
  }),
};

const pemOf = (text: string): string =>
  (text.includes('-----') ? text : Buffer.from(text, 'base64').toString('utf8')).replaceAll('\\n', '\n').trim();

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

interface GitHubSettings {
  GITHUB_APP_ID?: string | undefined;
  GITHUB_APP_PRIVATE_KEY?: string | undefined;
  GITHUB_APP_INSTALLATIONS: string[];
}

/** Problems between the settings of the GitHub App. */
export function githubProblems({
  GITHUB_APP_ID,
  GITHUB_APP_PRIVATE_KEY,
  GITHUB_APP_INSTALLATIONS,
}: GitHubSettings): string[] {
  const isNamed = GITHUB_APP_ID !== undefined;
  return [
    ...(isNamed && GITHUB_APP_PRIVATE_KEY === undefined ? ['GITHUB_APP_PRIVATE_KEY: required with GITHUB_APP_ID'] : []),
    ...(!isNamed && GITHUB_APP_PRIVATE_KEY !== undefined
      ? ['GITHUB_APP_ID: required with GITHUB_APP_PRIVATE_KEY']
      : []),
    ...(!isNamed && GITHUB_APP_INSTALLATIONS.length > 0
      ? ['GITHUB_APP_ID: required with GITHUB_APP_INSTALLATIONS']
      : []),
  ];
}
