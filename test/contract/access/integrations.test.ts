import { describeAccess } from './table.js';

describeAccess('integrations');
