import { createHmac, timingSafeEqual } from 'node:crypto';
import type { GitHook } from '../../contract/git-hooks.js';

/**
 * Whether a webhook comes from who knows the secret: GitHub, Gitea, Forgejo and Bitbucket sign the body by HMAC-SHA-256, GitLab sends the
 * secret itself, and so may any other program as a bearer token.
 */
export function isSigned({ headers }: Pick<GitHook, 'headers'>, body: Buffer, secret: string): boolean {
  const mac = createHmac('sha256', secret).update(body).digest('hex');
  const given: [sent: string | undefined, expected: string][] = [
    [headers['x-hub-signature-256'], `sha256=${mac}`],
    [headers['x-hub-signature'], `sha256=${mac}`],
    [headers['x-gitea-signature'], mac],
    [headers['x-gitlab-token'], secret],
    [headers.authorization, `Bearer ${secret}`],
  ];
  return given.some(([sent, expected]) => sent !== undefined && isEqual(sent, expected));
}

function isEqual(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
