//! The one shape of unions on the wire: an object with `type` and one member named like its value.
//!
//! `{"type": "ask_card", "ask_card": {"seat": 1, "card": "W07"}}`. Of twelve shapes this was the only one
//! that every common client generator decodes without loss, and in which an unknown future `type` does not
//! fail the whole page.

use std::fmt;

/// Why an object is no value of a keyed union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeyedUnionError {
    /// `type` has a value that this union does not know.
    UnknownType {
        /// What `type` says.
        said: String,
        /// What it may say.
        known: &'static [&'static str],
    },
    /// The member that `type` names is not there.
    MissingMember(&'static str),
    /// A member of another type is there.
    ForeignMember {
        /// What `type` says.
        said: String,
        /// The member that does not belong to it.
        member: &'static str,
    },
}

impl fmt::Display for KeyedUnionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownType { said, known } => {
                write!(f, "unknown type `{said}`, expected one of {}", known.join(", "))
            }
            Self::MissingMember(member) => write!(f, "the member `{member}` that `type` names is missing"),
            Self::ForeignMember { said, member } => {
                write!(f, "the member `{member}` does not belong to type `{said}`")
            }
        }
    }
}

/// Makes an enum, its keyed form for reading and for the document, and both conversions.
///
/// A case is written `tag => Case(Body)`, or `tag => Case[Body]` if an absent member means the default.
macro_rules! keyed_union {
    (
        $(#[$doc:meta])*
        $vis:vis enum $Union:ident read as $Keyed:ident {
            $( $(#[$case_doc:meta])* $tag:ident => $Case:ident $(($Body:ty))? $([$Defaulted:ty])? ),+ $(,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        $vis enum $Union { $( $(#[$case_doc])* $Case($($Body)? $($Defaulted)?) ),+ }

        $(#[$doc])*
        #[derive(serde::Deserialize, utoipa::ToSchema)]
        #[schema(as = $Union)]
        struct $Keyed {
            /// Which member is present. The set is open: ignore what you do not know.
            #[schema(extensions(("x-extensible-enum" = json!([$(stringify!($tag)),+]))))]
            r#type: String,
            $( $(#[$case_doc])* $tag: Option<$($Body)? $($Defaulted)?>, )+
        }

        impl $Union {
            /// Every value that `type` may have.
            const TYPES: &'static [&'static str] = &[$(stringify!($tag)),+];

            /// The value of `type`.
            $vis fn tag(&self) -> &'static str {
                match self { $( Self::$Case(_) => stringify!($tag) ),+ }
            }

            /// Writes the member that `type` names.
            fn write_member<M: serde::ser::SerializeMap>(&self, members: &mut M) -> Result<(), M::Error> {
                match self { $( Self::$Case(body) => members.serialize_entry(stringify!($tag), body) ),+ }
            }
        }

        impl serde::Serialize for $Union {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut members = serializer.serialize_map(Some(2))?;
                serde::ser::SerializeMap::serialize_entry(&mut members, "type", self.tag())?;
                self.write_member(&mut members)?;
                serde::ser::SerializeMap::end(members)
            }
        }

        impl<'de> serde::Deserialize<'de> for $Union {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let keyed = $Keyed::deserialize(deserializer)?;
                Self::try_from(keyed).map_err(serde::de::Error::custom)
            }
        }

        impl TryFrom<$Keyed> for $Union {
            type Error = $crate::wire::keyed_union::KeyedUnionError;

            fn try_from(keyed: $Keyed) -> Result<Self, Self::Error> {
                use $crate::wire::keyed_union::KeyedUnionError;
                let $Keyed { r#type: said, $($tag),+ } = keyed;
                if !Self::TYPES.contains(&said.as_str()) {
                    return Err(KeyedUnionError::UnknownType { said, known: Self::TYPES });
                }
                let there = [$((stringify!($tag), $tag.is_some())),+];
                if let Some((member, _)) = there.into_iter().find(|(tag, there)| *there && *tag != said) {
                    return Err(KeyedUnionError::ForeignMember { said, member });
                }
                $( if said == stringify!($tag) {
                    return keyed_union!(@take $tag $Case $(($Body))? $([$Defaulted])?);
                } )+
                Err(KeyedUnionError::UnknownType { said, known: Self::TYPES })
            }
        }

        impl utoipa::PartialSchema for $Union {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                <$Keyed as utoipa::PartialSchema>::schema()
            }
        }

        impl utoipa::ToSchema for $Union {
            fn name() -> std::borrow::Cow<'static, str> {
                stringify!($Union).into()
            }

            fn schemas(
                schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>,
            ) {
                <$Keyed as utoipa::ToSchema>::schemas(schemas);
            }
        }
    };
    (@take $tag:ident $Case:ident ($Body:ty)) => {
        $tag.map(Self::$Case).ok_or(KeyedUnionError::MissingMember(stringify!($tag)))
    };
    (@take $tag:ident $Case:ident [$Defaulted:ty]) => {
        Ok(Self::$Case($tag.unwrap_or_default()))
    };
}
pub(super) use keyed_union;
