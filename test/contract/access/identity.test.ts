import { describeAccess } from './table.js';

describeAccess('identity');
