import { benchFields } from './bench-fields.ts';
import { benchSettings } from './bench-settings.ts';
import { comparing } from './comparing.ts';
import { comparingCampaigns } from './comparing-campaigns.ts';
import { cost } from './cost.ts';
import { course } from './course.ts';
import { deciding } from './deciding.ts';
import { diagnosing } from './diagnosing.ts';
import { exploring } from './exploring.ts';
import { llamaBench } from './llama-bench.ts';
import { measuring } from './measuring.ts';
import { spaces } from './spaces.ts';
import { spending } from './spending.ts';
import { statistics } from './statistics.ts';
import { steps } from './steps.ts';
import type { Subject, Term } from './term.ts';
import { twoSides } from './two-sides.ts';

export const subjects: readonly Subject[] = [
  measuring,
  statistics,
  exploring,
  course,
  cost,
  comparing,
  comparingCampaigns,
  deciding,
  twoSides,
  spending,
  steps,
  diagnosing,
  llamaBench,
  benchSettings,
  benchFields,
  spaces,
];

export const allTerms: readonly Term[] = subjects.flatMap(({ terms }) => terms);
