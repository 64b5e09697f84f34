import type { Route } from '../frame/screen.js';
import { accessScreen } from './access-screen.js';
import { invitingScreen, type MailSettings } from './inviting-screen.js';
import { joiningScreen } from './joining-screen.js';
import { membersScreen } from './members-screen.js';
import { teamScreen } from './team-screen.js';
import { teamsScreen } from './teams-screen.js';

/** Who belongs to an organization, in which teams, and with which access to its spaces. */
export const peopleScreens = (server: MailSettings): Route[] => [
  membersScreen,
  invitingScreen(server),
  teamsScreen,
  teamScreen,
  accessScreen,
  joiningScreen,
];
