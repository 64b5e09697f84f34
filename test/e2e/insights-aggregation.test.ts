import { shared } from '../support/fixtures.js';
import { aggregationSuite } from '../support/insights/aggregation-suite.js';

aggregationSuite(shared);
