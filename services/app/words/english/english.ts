import { account, notifications, signIn } from './account.js';
import { blocks, editing, editor, editorPhrases } from './editor.js';
import { done, frame } from './frame.js';
import { gitSync } from './git-sync.js';
import { moving, templates } from './moving.js';
import { catalogue, home } from './organization.js';
import { access, inviting, people, teams } from './people.js';
import { changes, comments, differences } from './review.js';
import { singleSignOn } from './single-sign-on.js';
import { sites, visits } from './sites.js';
import { history, reading, settings } from './space.js';
import { imports, tree } from './writing.js';

/** Held in memory from the start; the other languages have the same texts. */
export const english = {
  frame,
  done,
  signIn,
  home,
  moving,
  templates,
  catalogue,
  reading,
  tree,
  imports,
  settings,
  gitSync,
  comments,
  history,
  changes,
  differences,
  notifications,
  account,
  sites,
  visits,
  people,
  inviting,
  teams,
  access,
  singleSignOn,
  editor,
  editing,
  blocks,
  editorPhrases,
};
