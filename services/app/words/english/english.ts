import { access } from './access.js';
import { account } from './account.js';
import { catalogue } from './catalogue.js';
import { changes } from './changes.js';
import { comments } from './comments.js';
import { done } from './done.js';
import { frame } from './frame.js';
import { history } from './history.js';
import { home } from './home.js';
import { imports } from './imports.js';
import { levels } from './levels.js';
import { notifications } from './notifications.js';
import { inviting, people } from './people.js';
import { reading } from './reading.js';
import { settings } from './settings.js';
import { signIn } from './sign-in.js';
import { sites } from './sites.js';
import { teams } from './teams.js';
import { tree } from './tree.js';
import { visits } from './visits.js';

/** Held in memory from the start; the other languages have the same texts. */
export const english = {
  frame,
  done,
  signIn,
  home,
  levels,
  catalogue,
  reading,
  tree,
  imports,
  settings,
  comments,
  history,
  changes,
  notifications,
  account,
  sites,
  visits,
  people,
  inviting,
  teams,
  access,
};
