import type { VNode } from 'preact';
import type { GitInstallation } from '../../content/resources.js';
import { Notice, Row, Rows, Section, Time } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import type { ScreenRequest } from '../frame/screen.js';

/** How a connection is, and what can be done about it. */
export function statePart(request: ScreenRequest, connection: GitInstallation): VNode {
  const { words, locale, formToken } = request;
  const { gitSync } = words;
  const { state, error, lastSyncAt, providerConfiguration } = connection;
  const { repositoryUrl, branch = '', publicKey } = providerConfiguration;
  return (
    <Section title={gitSync.state} id="state">
      <div class="panel">
        <p>
          <strong>{gitSync[state]}</strong> <bdi>{repositoryUrl}</bdi>{' '}
          <code>{branch.replace(/^refs\/heads\//, '')}</code>
        </p>
        {error && <Notice kind={state === 'pending' ? 'warning' : 'danger'}>{error}</Notice>}
        {lastSyncAt && (
          <p class="hint-text">
            {gitSync.lastSync} <Time iso={lastSyncAt} locale={locale} />
          </p>
        )}
        {publicKey && (
          <p>
            {gitSync.publicKey} <code class="secret">{publicKey}</code>{' '}
            <small class="hint-text">{gitSync.publicKeyHint}</small>
          </p>
        )}
        <Form token={formToken} class="button-line">
          {state === 'paused' ? (
            <Button action="resume" kind="primary">
              {gitSync.resume}
            </Button>
          ) : (
            <>
              <Button action="sync" kind="primary">
                {gitSync.syncNow}
              </Button>
              <Button action="takeGit" confirm={gitSync.takeConfirm}>
                {gitSync.takeGit}
              </Button>
              <Button action="takeSpace" confirm={gitSync.takeConfirm}>
                {gitSync.takeSpace}
              </Button>
              <Button action="pause">{gitSync.pause}</Button>
            </>
          )}
        </Form>
      </div>
    </Section>
  );
}

/** What both sides changed differently, and where it is settled. */
export function conflictPart(
  { words: { gitSync }, to, path }: ScreenRequest<'/s/{space}/~/git'>,
  { conflicts, changeRequest }: GitInstallation,
): VNode | null {
  if (conflicts.length === 0) return null;
  return (
    <Section title={gitSync.conflicts} id="conflicts">
      <Notice kind="warning">
        <p>{gitSync.conflictText}</p>
        {changeRequest && (
          <p>
            <a class="button" href={to.changeRequest(path.space, changeRequest)}>
              {gitSync.openRequest}
            </a>
          </p>
        )}
      </Notice>
      <Rows label={gitSync.conflicts}>
        {conflicts.map(({ title, path: page }) =>
          page === undefined ? <Row title={title} /> : <Row title={title} href={to.page(path.space, page)} />,
        )}
      </Rows>
    </Section>
  );
}

/** Where the repository sends its pushes. `secret`: where it was just made. */
export function webhookPart(
  { words: { gitSync }, formToken }: ScreenRequest,
  { webhook }: GitInstallation,
  secret: string | undefined,
): VNode {
  return (
    <Section title={gitSync.webhook} id="webhook">
      <div class="panel">
        <p>{gitSync.webhookText}</p>
        <p>
          {gitSync.webhookUrl}: <code class="secret">{webhook.url}</code>
        </p>
        {secret !== undefined && (
          <Notice kind="success">
            <p>
              {gitSync.webhookSecret}: <code class="secret">{secret}</code>
            </p>
            <p>{gitSync.secretOnce}</p>
          </Notice>
        )}
        <Form token={formToken}>
          <Button action="secret">{gitSync.newSecret}</Button>
        </Form>
      </div>
    </Section>
  );
}
