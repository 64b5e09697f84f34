import { authorize } from '../../../../../shared/contract/access.js';
import type { Context, HandlersOf } from '../../../../../shared/contract/service.js';
import { conflict, notFound } from '../../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../../shared/jobs/jobs.js';
import { again } from '../../../../../shared/store/again.js';
import { type HasStore, StoreDuplicate, type Write, write } from '../../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../../shared/values/ids.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { onSpace } from '../../../core/contract/access-rules.js';
import { spaces } from '../../../core/nodes/model.js';
import { creatorId } from '../../../core/spaces/new-space.js';
import type { installationOperations } from '../../contract/git-installations.js';
import type { HasProxy } from '../../git/address/proxy.js';
import type { AsksHosts } from '../hosts/ask-host.js';
import { type GitInstallationDocument, gitInstallations } from '../model.js';
import { gitPreviews } from '../previews/model.js';
import type { GitInstallation } from '../resources.js';
import { lookSoon } from '../schedule.js';
import { findSyncState } from '../sync-payload.js';
import { newWebhookSecret, planSetup, readCredentials } from './installation-setup.js';
import { presentInstallation, summarizeInstallation } from './present.js';

type Dependencies = HasStore & HasTrees & HasJobs & HasProxy & AsksHosts & { baseUrl: string };

/** The message that the public API takes by default. */
const defaultMessage = 'GITBOOK-{change_request_number}: {change_request_subject}';

export function installationHandlers(deps: Dependencies): HandlersOf<typeof installationOperations> {
  const { store, trees } = deps;
  return {
    async installGitSyncProviderOnTarget({ body }, context) {
      const { provider, target, paused, ...setup } = body;
      const space = target.spaceId;
      const { organization } = await authorize(
        onSpace('triggerGitSync'),
        { spaceId: space },
        context.caller,
        (_, question) => trees.resolve(question, 'space'),
      );
      const secret = newWebhookSecret();
      const now = timestamp();
      const item: GitInstallationDocument = {
        _id: newId(),
        organization,
        space,
        provider,
        directory: '',
        direction: 'both',
        commitMessage: defaultMessage,
        previews: true,
        ...(await planSetup(deps, { organization, provider }, setup)),
        webhookSecret: deps.secrets.encrypt(secret),
        ...(paused ? { paused } : {}),
        failures: 0,
        quiet: 0,
        createdBy: creatorId(context.caller),
        createdAt: now,
        updatedAt: now,
      };
      await insertInstallation(deps, item, context);
      return present(deps, item, secret);
    },

    async getGitSyncInstallationById({ path: { installationId } }) {
      return present(deps, await findInstallation(deps, installationId));
    },

    async updateGitSyncInstallationById({ path: { installationId }, body }, { access: { organization }, audit }) {
      const { rotateWebhookSecret, paused, ...setup } = body;
      const secret = rotateWebhookSecret ? newWebhookSecret() : undefined;
      return again(async () => {
        const before = await findInstallation(deps, installationId);
        const changes = {
          ...(await planSetup(deps, before, setup)),
          ...(paused ? { paused } : {}),
          ...(secret === undefined ? {} : { webhookSecret: deps.secrets.encrypt(secret) }),
          failures: 0,
          quiet: 0,
          updatedAt: timestamp(),
        };
        const item: GitInstallationDocument = { ...before, ...changes };
        // Another server has another key.
        const moves = changes.url !== undefined;
        const cleared = ['notBefore', 'synced', ...(paused === false ? ['paused'] : []), ...(moves ? ['hostKey'] : [])];
        for (const field of cleared) delete item[field as 'paused'];
        const $unset = Object.fromEntries(cleared.map((field) => [field, true as const]));
        await store.batch([
          write.update(
            gitInstallations,
            { _id: installationId, updatedAt: before.updatedAt },
            { $set: changes, $unset },
            { expect: 1 },
          ),
          summaryWrite(item),
          lookSoon(deps, item),
          audit('space', item.space, { organization, details: auditDetails(item) }),
        ]);
        return present(deps, item, secret);
      });
    },

    async syncGitInstallation({ path: { installationId }, body: { priority } }, { access: { organization }, audit }) {
      const item = await findInstallation(deps, installationId);
      if (item.paused) throw conflict('This connection is paused', 'wrong_state');
      await store.batch([
        write.update(
          gitInstallations,
          { _id: installationId },
          { $set: { failures: 0, ...(priority ? { priority } : {}) }, $unset: { notBefore: true, synced: true } },
          { expect: 1 },
        ),
        lookSoon(deps, item),
        audit('space', item.space, { organization, details: priority ? { priority } : {} }),
      ]);
    },

    async uninstallGitSyncInstallation({ path: { installationId } }, { access: { organization }, audit }) {
      const item = await findInstallation(deps, installationId);
      await store.batch([
        write.delete(gitInstallations, { _id: installationId }, { expect: 1 }),
        write.delete(gitPreviews, { installation: installationId }),
        write.update(
          spaces,
          { _id: item.space, 'gitInstallation.id': installationId },
          // The space is in sync with nothing any more, and may be edited live. What it shared is kept apart, for the next connection.
          { $unset: { gitInstallation: true, git: true } },
        ),
        audit('space', item.space, { organization, details: auditDetails(item) }),
      ]);
    },
  };
}

async function findInstallation({ store }: HasStore, id: string): Promise<GitInstallationDocument> {
  const item = await store.get(gitInstallations, id);
  if (!item) throw notFound('Git installation');
  return item;
}

async function insertInstallation(
  deps: Dependencies,
  item: GitInstallationDocument,
  { audit }: Context,
): Promise<void> {
  const { organization, space } = item;
  try {
    await deps.store.batch([
      write.check(spaces, { _id: space, organization, deletedAt: null }, 1),
      write.insert(gitInstallations, item),
      summaryWrite(item),
      lookSoon(deps, item),
      audit('space', space, { organization, details: auditDetails(item) }),
    ]);
  } catch (error) {
    if (!(error instanceof StoreDuplicate)) throw error;
    throw conflict('This space is connected with a repository already', 'already_installed');
  }
}

const summaryWrite = (item: GitInstallationDocument): Write =>
  write.update(spaces, { _id: item.space }, { $set: { gitInstallation: summarizeInstallation(item) } });

const auditDetails = ({
  _id: installation,
  provider,
  url,
  ref,
  directory,
  direction,
  paused,
}: GitInstallationDocument) => ({ installation, provider, url, ref, directory, direction, paused: paused === true });

async function present(deps: Dependencies, item: GitInstallationDocument, secret?: string): Promise<GitInstallation> {
  const state = await findSyncState(deps, item);
  return presentInstallation(item, {
    baseUrl: deps.baseUrl,
    state,
    credentials: readCredentials(deps, item),
    secret,
  });
}
