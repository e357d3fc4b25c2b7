//! The types of messages that come with ROS 2. Bags of versions before Iron do not contain the definitions of their messages.

/// The definition of a type, such as `sensor_msgs/msg/Imu`, with those of the types that it uses.
pub(super) fn definition(name: &str) -> Option<String> {
    let line = "=".repeat(80);
    let (_, own) = TYPES.iter().find(|(known, _)| *known == name)?;
    let others = TYPES.iter().map(|(name, fields)| format!("{line}\nMSG: {name}\n{}\n", lines(fields)));
    Some(lines(own) + "\n" + &others.collect::<String>())
}

fn lines(fields: &str) -> String {
    fields.replace("; ", "\n")
}

const TYPES: &[(&str, &str)] = &[
    ("builtin_interfaces/msg/Duration", "int32 sec; uint32 nanosec"),
    ("builtin_interfaces/msg/Time", "int32 sec; uint32 nanosec"),
    ("rosgraph_msgs/msg/Clock", "builtin_interfaces/Time clock"),
    ("std_msgs/msg/Bool", "bool data"),
    ("std_msgs/msg/Byte", "byte data"),
    ("std_msgs/msg/Char", "char data"),
    ("std_msgs/msg/ColorRGBA", "float32 r; float32 g; float32 b; float32 a"),
    ("std_msgs/msg/Float32", "float32 data"),
    ("std_msgs/msg/Float64", "float64 data"),
    ("std_msgs/msg/Header", "builtin_interfaces/Time stamp; string frame_id"),
    ("std_msgs/msg/Int8", "int8 data"),
    ("std_msgs/msg/Int16", "int16 data"),
    ("std_msgs/msg/Int32", "int32 data"),
    ("std_msgs/msg/Int64", "int64 data"),
    ("std_msgs/msg/String", "string data"),
    ("std_msgs/msg/UInt8", "uint8 data"),
    ("std_msgs/msg/UInt16", "uint16 data"),
    ("std_msgs/msg/UInt32", "uint32 data"),
    ("std_msgs/msg/UInt64", "uint64 data"),
    ("geometry_msgs/msg/Accel", "geometry_msgs/Vector3 linear; geometry_msgs/Vector3 angular"),
    ("geometry_msgs/msg/AccelStamped", "std_msgs/Header header; geometry_msgs/Accel accel"),
    ("geometry_msgs/msg/Point", "float64 x; float64 y; float64 z"),
    ("geometry_msgs/msg/Point32", "float32 x; float32 y; float32 z"),
    ("geometry_msgs/msg/PointStamped", "std_msgs/Header header; geometry_msgs/Point point"),
    ("geometry_msgs/msg/Pose", "geometry_msgs/Point position; geometry_msgs/Quaternion orientation"),
    ("geometry_msgs/msg/Pose2D", "float64 x; float64 y; float64 theta"),
    ("geometry_msgs/msg/PoseStamped", "std_msgs/Header header; geometry_msgs/Pose pose"),
    ("geometry_msgs/msg/PoseWithCovariance", "geometry_msgs/Pose pose; float64[36] covariance"),
    (
        "geometry_msgs/msg/PoseWithCovarianceStamped",
        "std_msgs/Header header; geometry_msgs/PoseWithCovariance pose",
    ),
    ("geometry_msgs/msg/Quaternion", "float64 x; float64 y; float64 z; float64 w"),
    ("geometry_msgs/msg/QuaternionStamped", "std_msgs/Header header; geometry_msgs/Quaternion quaternion"),
    ("geometry_msgs/msg/Transform", "geometry_msgs/Vector3 translation; geometry_msgs/Quaternion rotation"),
    (
        "geometry_msgs/msg/TransformStamped",
        "std_msgs/Header header; string child_frame_id; geometry_msgs/Transform transform",
    ),
    ("geometry_msgs/msg/Twist", "geometry_msgs/Vector3 linear; geometry_msgs/Vector3 angular"),
    ("geometry_msgs/msg/TwistStamped", "std_msgs/Header header; geometry_msgs/Twist twist"),
    ("geometry_msgs/msg/TwistWithCovariance", "geometry_msgs/Twist twist; float64[36] covariance"),
    (
        "geometry_msgs/msg/TwistWithCovarianceStamped",
        "std_msgs/Header header; geometry_msgs/TwistWithCovariance twist",
    ),
    ("geometry_msgs/msg/Vector3", "float64 x; float64 y; float64 z"),
    ("geometry_msgs/msg/Vector3Stamped", "std_msgs/Header header; geometry_msgs/Vector3 vector"),
    ("geometry_msgs/msg/Wrench", "geometry_msgs/Vector3 force; geometry_msgs/Vector3 torque"),
    ("geometry_msgs/msg/WrenchStamped", "std_msgs/Header header; geometry_msgs/Wrench wrench"),
    (
        "nav_msgs/msg/Odometry",
        "std_msgs/Header header; string child_frame_id; geometry_msgs/PoseWithCovariance pose; geometry_msgs/TwistWithCovariance twist",
    ),
    (
        "sensor_msgs/msg/BatteryState",
        "std_msgs/Header header; float32 voltage; float32 temperature; float32 current; float32 charge; float32 capacity; \
         float32 design_capacity; float32 percentage; uint8 power_supply_status; uint8 power_supply_health; \
         uint8 power_supply_technology; bool present; float32[] cell_voltage; float32[] cell_temperature; string location; \
         string serial_number",
    ),
    ("sensor_msgs/msg/FluidPressure", "std_msgs/Header header; float64 fluid_pressure; float64 variance"),
    ("sensor_msgs/msg/Illuminance", "std_msgs/Header header; float64 illuminance; float64 variance"),
    (
        "sensor_msgs/msg/Imu",
        "std_msgs/Header header; geometry_msgs/Quaternion orientation; float64[9] orientation_covariance; \
         geometry_msgs/Vector3 angular_velocity; float64[9] angular_velocity_covariance; \
         geometry_msgs/Vector3 linear_acceleration; float64[9] linear_acceleration_covariance",
    ),
    (
        "sensor_msgs/msg/LaserScan",
        "std_msgs/Header header; float32 angle_min; float32 angle_max; float32 angle_increment; float32 time_increment; \
         float32 scan_time; float32 range_min; float32 range_max; float32[] ranges; float32[] intensities",
    ),
    (
        "sensor_msgs/msg/MagneticField",
        "std_msgs/Header header; geometry_msgs/Vector3 magnetic_field; float64[9] magnetic_field_covariance",
    ),
    (
        "sensor_msgs/msg/NavSatFix",
        "std_msgs/Header header; sensor_msgs/NavSatStatus status; float64 latitude; float64 longitude; float64 altitude; \
         float64[9] position_covariance; uint8 position_covariance_type",
    ),
    ("sensor_msgs/msg/NavSatStatus", "int8 status; uint16 service"),
    (
        "sensor_msgs/msg/Range",
        "std_msgs/Header header; uint8 radiation_type; float32 field_of_view; float32 min_range; float32 max_range; float32 range",
    ),
    (
        "sensor_msgs/msg/RelativeHumidity",
        "std_msgs/Header header; float64 relative_humidity; float64 variance",
    ),
    ("sensor_msgs/msg/Temperature", "std_msgs/Header header; float64 temperature; float64 variance"),
];

#[cfg(test)]
mod tests {
    use super::super::ros::{Encoding, Message};
    use super::*;

    #[test]
    fn every_type_is_known_with_those_that_it_uses() {
        for (name, _) in TYPES {
            let text = definition(name).expect("it is known");
            let message = Message::parse(name, text.as_bytes(), Encoding::Ros2);
            assert!(message.is_ok_and(|it| !it.names().is_empty()), "{name}");
        }
        let text = definition("nav_msgs/msg/Odometry").expect("it is known");
        let odometry =
            Message::parse("nav_msgs/msg/Odometry", text.as_bytes(), Encoding::Ros2).expect("it is right");
        assert_eq!(
            odometry.names()[4..7],
            ["pose.pose.position.x", "pose.pose.position.y", "pose.pose.position.z"]
        );
    }
}
