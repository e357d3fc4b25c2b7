(** Every temporal operator is one of two: until and since over a window. This
    file states what is common to both directions. *)

From Coq Require Import Arith Lia Classical.
From Shall Require Import Definitions Runs Operators.

Inductive direction := Ahead | Back.

(** The position k steps away, and whether there is one. *)
Definition step (d : direction) (i k : nat) : nat := match d with Ahead => i + k | Back => i - k end.
Definition there (d : direction) (tr : trace) (i k : nat) : Prop :=
  match d with Ahead => inside tr (i + k) | Back => k <= i end.

(** [q] somewhere in the window, and [p] on the way to it. *)
Definition way (m : nat) (tr : trace) (d : direction) (b : bound) (p q : nat -> Prop) (i : nat) : Prop :=
  exists k, window m b k /\ there d tr i k /\ q (step d i k) /\ forall j, j < k -> p (step d i j).

Definition Way (d : direction) (b : bound) (p q : form) : form :=
  match d with Ahead => U_ b p q | Back => S_ b p q end.

Lemma sem_Way m tr d b p q i :
  sem m tr (Way d b p q) i <-> way m tr d b (sem m tr p) (sem m tr q) i.
Proof. destruct d; reflexivity. Qed.

Lemma there_less d tr i k j : there d tr i k -> j <= k -> there d tr i j.
Proof. destruct d; simpl; intros; [apply (inside_le tr (i + k)); [assumption |] |]; lia. Qed.

Lemma there_inside d tr i k : inside tr i -> there d tr i k -> inside tr (step d i k).
Proof. destruct d; simpl; intros Hi Hk; [assumption |]. apply (inside_le tr i); [assumption | lia]. Qed.

Lemma there_0 d tr i : inside tr i -> there d tr i 0.
Proof. destruct d; simpl; [rewrite Nat.add_0_r; auto | lia]. Qed.

Lemma step_0 d i : step d i 0 = i.
Proof. destruct d; simpl; lia. Qed.

Lemma step_step d i j k : step d (step d i j) k = step d i (j + k).
Proof. destruct d; simpl; lia. Qed.

Lemma there_step d tr i j k : there d tr i j -> there d tr (step d i j) k -> there d tr i (j + k).
Proof. destruct d; simpl; [rewrite Nat.add_assoc; auto | lia]. Qed.

Lemma step_there d tr i j k : there d tr i (j + k) -> there d tr i j /\ there d tr (step d i j) k.
Proof.
  destruct d; simpl; [| lia]. rewrite <- Nat.add_assoc. intros Hk. split; [| assumption].
  apply (inside_le tr (i + (j + k))); [assumption | lia].
Qed.

(** Equality of formulas on the positions of every trace. *)
Definition equiv (f g : form) : Prop := forall m tr i, inside tr i -> (sem m tr f i <-> sem m tr g i).

Lemma equiv_refl f : equiv f f.
Proof. intros m tr i _. reflexivity. Qed.

Lemma equiv_sym f g : equiv f g -> equiv g f.
Proof. intros Hf m tr i Hi. symmetry. auto. Qed.

Lemma equiv_trans f g h : equiv f g -> equiv g h -> equiv f h.
Proof. intros H1 H2 m tr i Hi. rewrite (H1 m tr i Hi). auto. Qed.

(** ** Everything is a way *)

Lemma F_way b p : equiv (F_ b p) (U_ b Top p).
Proof.
  intros m tr i _. cbn [sem]. split.
  - intros [k [H1 [H2 H3]]]. exists k. auto.
  - intros [k [H1 [H2 [H3 _]]]]. exists k. auto.
Qed.

Lemma O_way b p : equiv (O_ b p) (S_ b Top p).
Proof.
  intros m tr i _. cbn [sem]. split.
  - intros [k [H1 [H2 H3]]]. exists k. auto.
  - intros [k [H1 [H2 [H3 _]]]]. exists k. auto.
Qed.

Lemma G_way b p : equiv (G_ b p) (Not (U_ b Top (Not p))).
Proof.
  intros m tr i _. cbn [sem]. split.
  - intros Hg [k [H1 [H2 [H3 _]]]]. auto.
  - intros Hn k H1 H2. apply NNPP. intros H3. apply Hn. exists k. auto.
Qed.

Lemma H_way b p : equiv (H_ b p) (Not (S_ b Top (Not p))).
Proof.
  intros m tr i _. cbn [sem]. split.
  - intros Hg [k [H1 [H2 [H3 _]]]]. auto.
  - intros Hn k H1 H2. apply NNPP. intros H3. apply Hn. exists k. auto.
Qed.

Lemma R_way b p q : equiv (R_ b p q) (Not (U_ b (Not p) (Not q))).
Proof.
  intros m tr i _. cbn [sem]. split.
  - intros Hr [k [H1 [H2 [H3 H4]]]]. destruct (Hr k H1 H2) as [|[j [Hj Hp]]]; [auto |]. apply (H4 j); assumption.
  - intros Hn k H1 H2. apply NNPP. intros H3. apply Hn. exists k.
    split; [assumption | split; [assumption | split; [tauto |]]]. intros j Hj Hp. apply H3. right. eauto.
Qed.

Lemma T_way b p q : equiv (T_ b p q) (Not (S_ b (Not p) (Not q))).
Proof.
  intros m tr i _. cbn [sem]. split.
  - intros Hr [k [H1 [H2 [H3 H4]]]]. destruct (Hr k H1 H2) as [|[j [Hj Hp]]]; [auto |]. apply (H4 j); assumption.
  - intros Hn k H1 H2. apply NNPP. intros H3. apply Hn. exists k.
    split; [assumption | split; [assumption | split; [tauto |]]]. intros j Hj Hp. apply H3. right. eauto.
Qed.

Lemma Way_congruent d b p p' q q' : equiv p p' -> equiv q q' -> equiv (Way d b p q) (Way d b p' q').
Proof.
  intros Hp Hq m tr i Hi. rewrite !sem_Way. unfold way. split; intros [k [H1 [H2 [H3 H4]]]]; exists k;
    (split; [assumption | split; [assumption | split]]).
  - apply Hq; [apply there_inside |]; assumption.
  - intros j Hj. apply Hp; [| auto]. apply there_inside; [assumption |]. apply (there_less d tr i k); [assumption | lia].
  - apply Hq; [apply there_inside |]; assumption.
  - intros j Hj. apply Hp; [| auto]. apply there_inside; [assumption |]. apply (there_less d tr i k); [assumption | lia].
Qed.

(** ** Facts about ways *)

Section Facts.
Variables (m : nat) (tr : trace) (d : direction) (i : nat).
Hypothesis inside_i : inside tr i.
Notation way := (way m tr d).
Implicit Types p q : nat -> Prop.

(** For every position of the trace. *)
Definition everywhere (p : nat -> Prop) : Prop := forall x, inside tr x -> p x.

Lemma way_now b p q : window m b 0 -> q i -> way b p q i.
Proof.
  intros Hw Hq. exists 0. rewrite step_0.
  split; [assumption | split; [apply there_0; assumption | split; [assumption |]]]. intros j Hj. lia.
Qed.

Lemma way_starts b p q : way b p q i -> p i \/ q i.
Proof.
  intros [k [_ [_ [Hq Hp]]]]. destruct k as [|k]; [right; rewrite step_0 in Hq; assumption | left].
  rewrite <- (step_0 d i). apply Hp. lia.
Qed.

Lemma on_way k j p : there d tr i k -> j <= k -> everywhere p -> p (step d i j).
Proof. intros Hk Hj Hp. apply Hp. apply there_inside; [assumption |]. apply (there_less d tr i k); assumption. Qed.

Lemma way_monotone b b' p p' q q' :
  (forall k, window m b k -> window m b' k) -> everywhere (fun x => p x -> p' x) -> everywhere (fun x => q x -> q' x) ->
  way b p q i -> way b' p' q' i.
Proof.
  intros Hb Hp Hq [k [H1 [H2 [H3 H4]]]]. exists k.
  split; [auto | split; [assumption | split]].
  - apply (on_way k k (fun x => q x -> q' x) H2 (le_n _) Hq). assumption.
  - intros j Hj. apply (on_way k j (fun x => p x -> p' x)); auto. lia.
Qed.

(** If the window begins here, the way matters only up to the first goal. *)
Lemma way_first b b' p p' q q' :
  (forall k j, window m b k -> j <= k -> window m b' j) ->
  everywhere (fun x => p x -> ~ q' x -> p' x) -> everywhere (fun x => q x -> q' x) ->
  way b p q i -> way b' p' q' i.
Proof.
  intros Hb Hp Hq [k [H1 [H2 [H3 H4]]]].
  destruct (least (fun j => j <= k /\ q' (step d i j)) k) as [j [_ [[Hj Hqj] Hmin]]].
  { split; [lia |]. apply (on_way k k (fun x => q x -> q' x) H2 (le_n _) Hq). assumption. }
  exists j. split; [eapply Hb; eauto | split; [apply (there_less d tr i k); assumption | split; [assumption |]]].
  intros x Hx. apply (on_way k x (fun x => p x -> ~ q' x -> p' x)); auto; [lia | apply H4; lia |].
  intros Hq'. apply (Hmin x Hx). split; [lia | assumption].
Qed.

Lemma way_or b p q q' : way b p (fun x => q x \/ q' x) i <-> way b p q i \/ way b p q' i.
Proof.
  split.
  - intros [k [H1 [H2 [[H3 | H3] H4]]]]; [left | right]; exists k; auto.
  - intros [[k [H1 [H2 [H3 H4]]]] | [k [H1 [H2 [H3 H4]]]]]; exists k; auto.
Qed.

(** The nearer goal ends both. *)
Lemma way_both b p p' q : way b p q i -> way b p' q i -> way b (fun x => p x /\ p' x) q i.
Proof.
  intros [k [H1 [H2 [H3 H4]]]] [k' [H1' [H2' [H3' H4']]]]. destruct (le_lt_dec k k').
  - exists k. split; [assumption | split; [assumption | split; [assumption |]]]. intros j Hj. split; [| apply H4']; auto. lia.
  - exists k'. split; [assumption | split; [assumption | split; [assumption |]]]. intros j Hj. split; [apply H4 |]; auto. lia.
Qed.

Lemma way_point n p p' q q' : way (exactly n) p q i -> way (exactly n) p' q' i ->
  way (exactly n) (fun x => p x /\ p' x) (fun x => q x /\ q' x) i.
Proof.
  intros [k [H1 [H2 [H3 H4]]]] [k' [H1' [H2' [H3' H4']]]].
  apply window_exactly in H1. apply window_exactly in H1'. subst. exists (val m n). rewrite window_exactly. repeat split; auto.
Qed.

(** One way after the other. *)
Lemma way_way b b' b'' p q :
  (forall k, window m b'' k <-> exists x y, window m b x /\ window m b' y /\ k = x + y) ->
  (way b p (way b' p q) i <-> way b'' p q i).
Proof.
  intros Hb. split.
  - intros [k [H1 [H2 [[k' [H1' [H2' [H3' H4']]]] H4]]]]. rewrite step_step in H3'. exists (k + k').
    split; [apply Hb; eauto | split; [apply there_step; assumption | split; [assumption |]]].
    intros j Hj. destruct (le_lt_dec k j); [| auto]. replace j with (k + (j - k)) by lia. rewrite <- step_step. apply H4'. lia.
  - intros [k [H1 [H2 [H3 H4]]]]. apply Hb in H1. destruct H1 as [x [y [Hx [Hy ->]]]].
    apply step_there in H2. destruct H2 as [Hx' Hy']. exists x. split; [assumption | split; [assumption | split]].
    + exists y. split; [assumption | split; [assumption | split; [rewrite step_step; assumption |]]].
      intros j Hj. rewrite step_step. apply H4. lia.
    + intros j Hj. apply H4. lia.
Qed.
End Facts.
