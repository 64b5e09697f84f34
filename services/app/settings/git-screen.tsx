import { forbidden } from '../../../shared/errors/errors.js';
import { contentContract } from '../../content/contract.js';
import type { GitInstallation } from '../../content/resources.js';
import { Heading, Section } from '../elements/elements.js';
import { Deletion } from '../elements/forms.js';
import { type Route, type ScreenRequest, screen, type View } from '../frame/screen.js';
import { placeAround } from '../reading/around.js';
import { type Place, spacePlace } from '../reading/places.js';
import { setupForm, setupOf } from './git-form.js';
import { conflictPart, statePart, webhookPart } from './git-state.js';

const path = '/s/{space}/~/git';
type Request = ScreenRequest<typeof path>;
type Setup = ReturnType<typeof setupOf>;
interface Changes {
  providerConfiguration?: Partial<Setup['providerConfiguration']>;
  paused?: boolean;
}

/** The connection of a space with a repository. */
export const gitScreens = (): Route[] => [gitConnection];

const gitConnection = screen({
  path,
  show: (request) => showConnection(request),
  actions: {
    async connect(request, fields) {
      const { call, path } = request;
      const { provider, ...setup } = setupOf(fields);
      const { webhook } = await call(contentContract.installGitSyncProviderOnTarget, {
        path: {},
        body: { provider, target: { type: 'space', spaceId: path.space }, ...setup },
      });
      return showConnection(request, webhook.secret);
    },
    async configure(request, fields) {
      const { state, providerConfiguration: known } = await connectionAt(request);
      const { providerConfiguration, ...setup } = setupOf(fields);
      const { repositoryUrl, ...rest } = providerConfiguration;
      // An address that is set again lets its server have another key: that is wanted where the connection is broken.
      const isSet = repositoryUrl !== known.repositoryUrl || state === 'broken';
      const body = { ...setup, providerConfiguration: isSet ? providerConfiguration : rest };
      return update(request, body, 'saved');
    },
    pause: (request) => update(request, { paused: true }, 'saved'),
    resume: (request) => update(request, { paused: false }, 'saved'),
    async secret(request) {
      const { id } = await connectionAt(request);
      const { webhook } = await request.call(contentContract.updateGitSyncInstallationById, {
        path: { installationId: id },
        body: { rotateWebhookSecret: true },
      });
      return showConnection(request, webhook.secret);
    },
    sync: (request) => sync(request, {}),
    takeGit: (request) => sync(request, { priority: 'git' }),
    takeSpace: (request) => sync(request, { priority: 'gitbook' }),
    async delete(request) {
      const { call, path, to } = request;
      const { id } = await connectionAt(request);
      await call(contentContract.uninstallGitSyncInstallation, { path: { installationId: id } });
      return { to: to.settings(path.space), done: 'deleted' };
    },
  },
});

/** `secret`: that of the webhook, which was just made. */
async function showConnection(request: Request, secret?: string): Promise<View> {
  const { words, formToken } = request;
  const place = await spacePlace(request, request.path.space);
  if (!place.space.permissions.triggerGitSync) throw forbidden(words.settings.notAllowed);
  const connection = await findConnection(request, place);
  return {
    title: words.gitSync.title,
    ...placeAround(request, place),
    main: (
      <>
        <Heading title={words.gitSync.title} lead={words.gitSync.lead} />
        {connection ? (
          <>
            {statePart(request, connection)}
            {conflictPart(request, connection)}
            {webhookPart(request, connection, secret)}
            <Section title={words.gitSync.configure} id="configure">
              {setupForm(request, connection)}
            </Section>
            <div class="settings-cards">
              <Deletion token={formToken} title={words.gitSync.disconnect} text={words.gitSync.disconnectText} />
            </div>
          </>
        ) : (
          setupForm(request, undefined)
        )}
      </>
    ),
  };
}

/** The connection of a space; spaces without one name themselves in its place. */
async function findConnection({ call }: Request, { space }: Place): Promise<GitInstallation | undefined> {
  const { installationId } = space.gitSync ?? {};
  if (installationId === undefined || installationId === space.id) return undefined;
  return call(contentContract.getGitSyncInstallationById, { path: { installationId } });
}

async function connectionAt(request: Request): Promise<GitInstallation> {
  const connection = await findConnection(request, await spacePlace(request, request.path.space));
  if (!connection) throw forbidden(request.words.settings.notAllowed);
  return connection;
}

async function update(request: Request, body: Partial<Omit<Setup, 'providerConfiguration'>> & Changes, done: 'saved') {
  const { id } = await connectionAt(request);
  await request.call(contentContract.updateGitSyncInstallationById, { path: { installationId: id }, body });
  return { to: request.to.git(request.path.space), done };
}

async function sync(request: Request, body: { priority?: 'git' | 'gitbook' }) {
  const { id } = await connectionAt(request);
  await request.call(contentContract.syncGitInstallation, { path: { installationId: id }, body });
  return { to: request.to.git(request.path.space), done: 'started' as const };
}
