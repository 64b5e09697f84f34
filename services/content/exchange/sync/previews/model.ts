import type { HasJobs } from '../../../../../shared/jobs/jobs.js';
import { collection, type Write } from '../../../../../shared/store/port.js';
import type { PullNews } from '../hooks/news.js';
import type { GitInstallationDocument } from '../model.js';

/** The content that a pull request would make of a space; `_id` is `<connection>:<number>`. */
export interface GitPreviewDocument {
  _id: string;
  installation: string;
  organization: string;
  space: string;
  number: number;
  title: string;
  commit: string;
  /** Absent while it is made for the first time. */
  revision?: string;
  /** The comment at the host that leads to it. */
  comment?: string;
  /** Its host was told where the latest commit is shown. */
  told?: true;
  updatedAt: string;
}

export const gitPreviews = collection<GitPreviewDocument>('content_git_previews', [
  { on: { space: 1 } },
  { on: { installation: 1, updatedAt: -1 } },
]);

/** The kind of the job. */
export const previewGitPull = 'previewGitPull';

export interface PreviewPayload extends PullNews {
  installation: string;
}

/** The write that has the preview of a pull request made, or removed where it is closed. */
export const previewLater = (
  { jobs }: HasJobs,
  { _id: installation, organization }: Pick<GitInstallationDocument, '_id' | 'organization'>,
  pull: PullNews,
): Write =>
  jobs.enqueue<PreviewPayload>(
    previewGitPull,
    { ...pull, installation },
    { orderKey: `git preview ${installation}:${pull.number}`, share: organization },
  );
