// Values beyond these limits are wrong, and red on the screen. They equal those of deploy/monitoring/alerts.yaml.

export const oldQueueS = 300
export const lateRelayS = 60
export const lateViewS = 60
export const lateDeliveryS = 300
export const idleConsumerS = 600
export const leastFreeBytes = 2e9
export const oldBackupS = 2 * 24 * 3_600
