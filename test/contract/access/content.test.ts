import { describeAccess } from './table.js';

describeAccess('content');
