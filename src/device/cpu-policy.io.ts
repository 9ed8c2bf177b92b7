// PLACEHOLDER until the real one is here; replace the whole file.
export async function switchPolicy(_attribute: string, _value: string, _journalPath: string): Promise<{ restore(): Promise<void> }> { throw new Error('placeholder'); }
export async function restoreFromJournal(_journalPath: string): Promise<string | null> { return null; }
export async function findPolicySwitch(_attribute: string): Promise<{ available: string[]; current: { policy: string; value: string }[] } | { withheld: string }> { return { withheld: 'placeholder' }; }
