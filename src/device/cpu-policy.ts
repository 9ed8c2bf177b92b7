import { z } from 'zod';
import { versionOneSchema } from '../formats/version.ts';

/** What of a CPU's policy can be switched: how its frequency is chosen, or what its firmware prefers. */
export type PolicyAttribute = 'scaling_governor' | 'energy_performance_preference';

/** Where the kernel says which values an attribute takes. */
export const availableValuesOf: Record<PolicyAttribute, string> = {
  scaling_governor: 'scaling_available_governors',
  energy_performance_preference: 'energy_performance_available_preferences',
};

export const policyName = /^policy\d{1,4}$/;
const word = z.string().regex(/^[a-z_]{1,32}$/);

/** One CPU policy, as it was. */
const settingSchema = z.strictObject({ policy: z.string().regex(policyName), value: word });
export type PolicySetting = z.infer<typeof settingSchema>;

/** What a switch writes down before it changes anything, so that a kill in between can be undone. */
export const policyJournalSchema = z.strictObject({
  format: z.literal('rooflaw-cpu-policy-journal'),
  formatVersion: versionOneSchema,
  attribute: z.enum(['scaling_governor', 'energy_performance_preference']),
  before: z.array(settingSchema).min(1),
});
export type PolicyJournal = z.infer<typeof policyJournalSchema>;
