import type { VNode } from 'preact';
import type { GitInstallation } from '../../content/resources.js';
import { Button, Check, Field, Form, Select } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import { fieldsSentBy } from '../frame/refusals.js';
import type { ScreenRequest } from '../frame/screen.js';

const hosts = { github: 'GitHub', gitlab: 'GitLab', gitea: 'Gitea, Forgejo', bitbucket: 'Bitbucket' };

/** The body of the operations that connect a space and configure its connection. */
export function setupOf(fields: FormFields) {
  const branch = fields.text('branch');
  const [username, accessToken] = [fields.optional('username'), fields.raw('accessToken')];
  const priority = fields.optional('priority') as 'git' | 'gitbook' | undefined;
  return {
    provider: fields.text('provider') as GitInstallation['provider'],
    providerConfiguration: {
      repositoryUrl: fields.text('repositoryUrl'),
      branch: branch.startsWith('refs/') ? branch : `refs/heads/${branch}`,
      ...(username === undefined ? {} : { username }),
      ...(accessToken === '' ? {} : { accessToken }),
      ...(fields.isOn('deployKey') ? { deployKey: 'generate' as const } : {}),
    },
    projectDirectory: fields.text('projectDirectory'),
    direction: fields.text('direction') as GitInstallation['direction'],
    commitMessageTemplate: fields.text('message'),
    previewExternalBranches: fields.isOn('previews'),
    ...(priority === undefined ? {} : { priority }),
  };
}

/** The form that connects a space, or configures its connection. */
export function setupForm(request: ScreenRequest, connection: GitInstallation | undefined): VNode {
  const { words, formToken } = request;
  const { gitSync, imports } = words;
  const action = connection ? 'configure' : 'connect';
  const sent = fieldsSentBy(request, action);
  const { repositoryUrl = '', branch = 'refs/heads/main', username = '' } = connection?.providerConfiguration ?? {};
  return (
    <Form token={formToken} action={action} class="panel">
      <Select
        label={gitSync.provider}
        name="provider"
        value={sent?.raw('provider') ?? connection?.provider ?? 'github'}
        options={[
          ...Object.entries(hosts).map(([value, text]) => ({ value, text })),
          { value: 'git', text: gitSync.otherHost },
        ]}
      />
      <Field
        label={gitSync.repository}
        name="repositoryUrl"
        required
        maxLength={2048}
        value={sent?.text('repositoryUrl') ?? repositoryUrl}
        placeholder="https://github.com/octocat/docs.git"
        hint={gitSync.repositoryHint}
      />
      <div class="field-row">
        <Field
          label={imports.branch}
          name="branch"
          required
          maxLength={500}
          value={sent?.text('branch') ?? branch.replace(/^refs\/heads\//, '')}
        />
        <Field
          label={imports.folder}
          name="projectDirectory"
          maxLength={1024}
          value={sent?.text('projectDirectory') ?? connection?.projectDirectory ?? ''}
          hint={imports.folderHint}
        />
      </div>
      <div class="field-row">
        <Field
          label={imports.user}
          name="username"
          maxLength={256}
          autocomplete="off"
          value={sent?.text('username') ?? username}
        />
        <Field
          label={gitSync.token}
          name="accessToken"
          type="password"
          maxLength={4096}
          autocomplete="off"
          hint={connection ? gitSync.tokenKept : gitSync.tokenHint}
        />
      </div>
      <Check label={gitSync.deployKey} name="deployKey" checked={sent?.isOn('deployKey') ?? false} />
      <Select
        label={gitSync.direction}
        name="direction"
        value={sent?.raw('direction') ?? connection?.direction ?? 'both'}
        options={(['both', 'import', 'export'] as const).map((value) => ({ value, text: gitSync[value] }))}
      />
      <Select
        label={gitSync.priority}
        name="priority"
        value={sent?.raw('priority') ?? connection?.priority ?? ''}
        options={[
          { value: '', text: gitSync.noPriority },
          { value: 'git', text: gitSync.preferGit },
          { value: 'gitbook', text: gitSync.preferSpace },
        ]}
      />
      <Field
        label={gitSync.message}
        name="message"
        required
        maxLength={1000}
        value={
          sent?.text('message') ??
          connection?.commitMessageTemplate ??
          'GITBOOK-{change_request_number}: {change_request_subject}'
        }
      />
      <Check
        label={gitSync.previews}
        name="previews"
        checked={sent?.isOn('previews') ?? connection?.previewExternalBranches ?? true}
      />
      <Button kind="primary">{connection ? words.frame.save : gitSync.connect}</Button>
    </Form>
  );
}
