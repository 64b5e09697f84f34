import { apiError, notFound } from '../../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../../shared/jobs/jobs.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { type HasStore, write } from '../../../../../shared/store/port.js';
import type { GitHook } from '../../contract/git-hooks.js';
import { type GitInstallationDocument, gitInstallations } from '../model.js';
import { previewLater } from '../previews/model.js';
import { lookSoon } from '../schedule.js';
import { type HookNews, readNews } from './news.js';
import { isSigned } from './signatures.js';

type Dependencies = HasStore & HasSecrets & HasJobs;

/** Takes a webhook; `taken` tells whether it is about the branch of the connection. */
export async function takeHook(deps: Dependencies, hook: GitHook): Promise<{ taken: boolean }> {
  const item = await deps.store.get(gitInstallations, hook.installation);
  if (!item) throw notFound('Git installation');
  const body = Buffer.from(hook.body, 'base64');
  if (!isSigned(hook, body, deps.secrets.decrypt(item.webhookSecret)))
    throw apiError('UNAUTHENTICATED', 'The webhook is not signed with the secret of this connection');
  const write = item.paused ? undefined : consequence(deps, item, readNews(hook, body));
  if (write) await deps.store.batch(write);
  return { taken: write !== undefined };
}

function consequence(deps: Dependencies, item: GitInstallationDocument, news: HookNews) {
  if (news.kind === 'push' && (news.ref === undefined || news.ref === item.ref)) {
    // A host that was down and now sends webhooks is not waited for.
    const awake = write.update(gitInstallations, { _id: item._id }, { $unset: { notBefore: true } });
    return [awake, lookSoon(deps, item)];
  }
  if (news.kind !== 'pull' || !item.previews || news.pull.into !== item.ref) return undefined;
  return [previewLater(deps, item, news.pull)];
}
