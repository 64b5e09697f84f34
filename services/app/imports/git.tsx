import type { VNode } from 'preact';
import type { GitOperation } from '../../content/resources.js';
import { Notice, Time } from '../elements/elements.js';
import { Check, Field } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import type { ScreenRequest } from '../frame/screen.js';
import { fill } from '../words/languages.js';

/** The fields about a repository, as the operations with Git repositories take them. */
export function repositoryFields(
  { words: { imports } }: Pick<ScreenRequest, 'words'>,
  { sent, prefix }: { sent: FormFields | undefined; prefix: string },
): VNode {
  return (
    <>
      <Field
        label={imports.url}
        name="url"
        id={`${prefix}-url`}
        required
        maxLength={2048}
        value={sent?.text('url')}
        placeholder="https://github.com/octocat/docs.git"
      />
      <div class="field-row">
        <Field
          label={imports.branch}
          name="branch"
          id={`${prefix}-branch`}
          required
          maxLength={500}
          value={sent?.text('branch') ?? 'main'}
        />
        <Field
          label={imports.folder}
          name="folder"
          id={`${prefix}-folder`}
          maxLength={1024}
          value={sent?.text('folder')}
          hint={imports.folderHint}
        />
      </div>
      <div class="field-row">
        <Field
          label={imports.user}
          name="user"
          id={`${prefix}-user`}
          maxLength={200}
          autocomplete="off"
          value={sent?.text('user')}
        />
        <Field
          label={imports.password}
          name="password"
          id={`${prefix}-password`}
          type="password"
          maxLength={500}
          autocomplete="off"
          hint={imports.passwordHint}
        />
      </div>
    </>
  );
}

export const forceField = (label: string): VNode => <Check label={label} name="force" />;

/** The body of an operation with a Git repository. */
export function repositoryOf(fields: FormFields) {
  const folder = fields.optional('folder');
  return {
    url: withCredentials(fields.text('url'), { user: fields.text('user'), password: fields.raw('password') }),
    ref: refOf(fields.text('branch')),
    ...(folder === undefined ? {} : { repoProjectDirectory: folder }),
    force: fields.isOn('force'),
  };
}

const refOf = (branch: string): string => (branch.startsWith('refs/') ? branch : `refs/heads/${branch}`);

/** Puts credentials into an address. What is no address is refused by the operation, in its words. */
function withCredentials(address: string, { user, password }: { user: string; password: string }): string {
  if ((user === '' && password === '') || !URL.canParse(address)) return address;
  const url = new URL(address);
  url.username = encodeURIComponent(user || 'git');
  url.password = encodeURIComponent(password);
  return url.href;
}

export const isRunning = (operation: GitOperation | undefined): boolean => operation?.state === 'running';

/** Says in words how an operation is. */
export function operationText({ words: { imports } }: Pick<ScreenRequest, 'words'>, operation: GitOperation): string {
  if (operation.queued) return imports.queued;
  if (operation.skipped) return imports.skipped;
  return imports[operation.state];
}

/** The latest operation with Git, with what went wrong. */
export function operationView(request: Pick<ScreenRequest, 'words' | 'locale'>, operation: GitOperation): VNode {
  const { words, locale } = request;
  const { imports } = words;
  const { direction, ref, commit, error, startedAt, problems = [] } = operation;
  return (
    <div class="panel">
      <p>
        <strong>{direction === 'import' ? imports.gitImport : imports.gitExport}</strong> <code>{ref}</code>
      </p>
      <p>{operationText(request, operation)}</p>
      {error && <Notice kind={operation.state === 'failure' ? 'danger' : 'info'}>{error}</Notice>}
      <p class="hint-text">
        {startedAt && (
          <>
            {fill(imports.startedAt, '')} <Time iso={startedAt} locale={locale} />
          </>
        )}
        {commit && (
          <>
            {' · '}
            {imports.commit} <code>{commit.slice(0, 12)}</code>
          </>
        )}
      </p>
      {problemList(request, problems)}
    </div>
  );
}

/** The pages that were left out, and why. */
export const problemList = (
  { words: { imports } }: Pick<ScreenRequest, 'words'>,
  problems: readonly { path: string; message: string }[],
): VNode | null =>
  problems.length === 0 ? null : (
    <details>
      <summary>
        {imports.problems} ({problems.length})
      </summary>
      <ul>
        {problems.map(({ path, message }) => (
          <li>
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    </details>
  );
