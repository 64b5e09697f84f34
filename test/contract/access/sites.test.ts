import { describeAccess } from './table.js';

describeAccess('sites');
